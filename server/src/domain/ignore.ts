/** Handles a rejection or an event that has no effect, or that is handled elsewhere. */
export function ignore(): void {
  // Deliberately nothing.
}
