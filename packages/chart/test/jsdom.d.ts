// What the tests use of it; the package brings no types.
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: { readonly document: unknown };
  }
}
