/** Sets an own member whatever its name: assigned, `__proto__` would set what the object inherits from. */
export function setOwn<Value>(object: { [name: string]: Value }, name: string, value: Value): void {
  if (name === '__proto__') Object.defineProperty(object, name, { ...OWN, value });
  else object[name] = value;
}

const OWN = { configurable: true, enumerable: true, writable: true };
