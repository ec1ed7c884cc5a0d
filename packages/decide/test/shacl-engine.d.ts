declare module 'shacl-engine' {
  export class Validator {
    constructor(shapes: unknown, options: { readonly factory: unknown });
    validate(data: { readonly dataset: unknown }): Promise<{ readonly conforms: boolean }>;
  }
}
