/** A part of the page that is loaded on use, together with the messages that it needs. */
export async function withMessages<Part>(
  part: Promise<Part>,
  ...messages: readonly Promise<void>[]
): Promise<Part> {
  const [loaded] = await Promise.all([part, ...messages])
  return loaded
}
