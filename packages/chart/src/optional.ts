type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The members that are there. */
export function definedOnly<T extends object>(members: T): Defined<T> {
  const defined: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) defined[name] = value;
  }
  return defined as Defined<T>;
}

/** The list under its name, unless it is empty. */
export function within<Name extends string, Item>(
  name: Name,
  items: readonly Item[],
): { readonly [Key in Name]?: readonly Item[] } {
  return (items.length === 0 ? {} : { [name]: items }) as { readonly [Key in Name]?: readonly Item[] };
}
