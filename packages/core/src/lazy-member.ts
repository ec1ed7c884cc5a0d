/** Hands back what it is given: a subclass then puts its private member there. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the point
    return object;
  }
}

/**
 * Makes plain data with one member that is worked out each time it is read; copies, comparisons and JSON take it for
 * any other. All objects made by one of these share one shape: a `get` in an object literal gives each object a shape
 * of its own, which costs the engine twenty times as much, and whoever reads the object as well.
 */
export function lazyMember<Name extends string, Source, Value>(
  name: Name,
  value: (source: Source) => Value,
): <T extends object>(object: T, source: Source) => T & { readonly [Key in Name]: Value } {
  class WithSource extends Given {
    readonly #source: Source;
    constructor(object: object, source: Source) {
      super(object);
      this.#source = source;
    }
    static sourceOf(object: object): Source {
      return (object as WithSource).#source;
    }
  }
  const descriptor = {
    get(this: object): Value {
      return value(WithSource.sourceOf(this));
    },
    enumerable: true,
    configurable: true,
  };
  return <T extends object>(object: T, source: Source) => {
    void new WithSource(object, source);
    return Object.defineProperty(object, name, descriptor) as T & { readonly [Key in Name]: Value };
  };
}
