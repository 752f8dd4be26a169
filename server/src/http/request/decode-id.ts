/** The id of a user in a header. Ids can contain characters that headers cannot: clients percent-encode them. */
export function decodeId(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
