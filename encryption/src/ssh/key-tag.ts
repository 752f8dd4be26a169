import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64 } from '../base/bytes.ts'
import type { SshPublicKey } from './public-key.ts'

const tagBytes = 4

/** What tells in a header whose stanza it is; others may have the same one by chance (age, SSH recipient types). */
export const keyTag = ({ encoded }: SshPublicKey): string => toBase64(sha256(encoded).subarray(0, tagBytes))
