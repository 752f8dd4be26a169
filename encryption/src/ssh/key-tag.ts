import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64 } from '../base/bytes.ts'
import type { SshPublicKey } from './public-key.ts'

const tagBytes = 4

/** Identifies the key of a stanza in a header; another key may have the same tag by chance (age, SSH recipient types). */
export const keyTag = ({ encoded }: SshPublicKey): string => toBase64(sha256(encoded).subarray(0, tagBytes))
