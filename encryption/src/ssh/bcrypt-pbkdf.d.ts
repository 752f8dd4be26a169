// The package has no types.
declare module 'bcrypt-pbkdf' {
  /** @returns 0; other numbers report invalid parameters */
  export function pbkdf(
    pass: Uint8Array,
    passLength: number,
    salt: Uint8Array,
    saltLength: number,
    key: Uint8Array,
    keyLength: number,
    rounds: number,
  ): number
}
