/** The oldest Node that has what this program uses. */
const oldest = { major: 22, minor: 3 }

/**
 * What to say to a user whose Node is too old: the program would fail later, with words about something else.
 * @param version such as `22.3.0`
 * @returns null when it is new enough
 */
export function oldNodeMessage(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return null
  return `svc needs Node ${String(oldest.major)}.${String(oldest.minor)} or newer, and this is Node ${version}: install a newer one, or the executable of svc, which needs none`
}
