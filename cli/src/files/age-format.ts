const armor = '-----BEGIN AGE ENCRYPTED FILE-----'

/**
 * The form of a file that age has encrypted, in any version; undefined for other files.
 * @param head its first bytes: 34 are enough, and more if blank ones may precede the armor
 */
export function ageFormat(head: Buffer): 'binary' | 'armor' | undefined {
  const text = head.toString('latin1')
  if (text.startsWith('age-encryption.org/')) return 'binary'
  return text.trimStart().startsWith(armor) ? 'armor' : undefined
}
