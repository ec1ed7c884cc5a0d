/** Made with the first use of anything in it: most runs never come to their queue. */
export function onFirstUse<T extends object>(make: () => T): T {
  let made: T | undefined;
  const whole = (): T => (made ??= make());
  return new Proxy<T>({} as T, {
    get: (_, key) => Reflect.get(whole(), key),
    has: (_, key) => key in whole(),
    ownKeys: () => Reflect.ownKeys(whole()),
    getOwnPropertyDescriptor: (_, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(whole(), key);
      // A proxy may only call fixed what its target has.
      return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
    },
  });
}
