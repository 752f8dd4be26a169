/* eslint no-restricted-syntax: "off" -- it belongs to the document, as the client of the API does, which sends it */
let expected: string | null | undefined

/** Id of the user that this document shows; null for a guest, undefined until it is known. */
export const expectedUserID = () => expected

export function expectUser(userID: string | null): void {
  expected = userID
}
