import { createCipheriv, createECDH, createHmac, hkdfSync, type ECDH } from 'node:crypto'

/** The receiver of a push message: a browser, which has the private key. */
export interface PushKeys {
  /** Its public key: an uncompressed point of P-256, 65 bytes. */
  readonly p256dh: Uint8Array
  /** A secret that it shares with the service, 16 bytes. */
  readonly auth: Uint8Array
}

/** The random parts of a message. */
export interface PushRandom {
  /** 16 bytes. */
  readonly salt: Uint8Array
  /** The private key of this message only, 32 bytes; generated if absent. */
  readonly privateKey?: Uint8Array
}

const curve = 'prime256v1'
const recordSize = 4096
const tagLength = 16

/** The maximum number of bytes of a message: push services accept one record (RFC 8291 §4). */
export const maxPushBytes = recordSize - 1 - tagLength - 86

const keyInfo = Buffer.from('Content-Encoding: aes128gcm\0')
const nonceInfo = Buffer.from('Content-Encoding: nonce\0')

/**
 * Encrypts a message for a browser (RFC 8291), as one record of `aes128gcm` (RFC 8188).
 * @param message at most `maxPushBytes`
 * @throws when the public key is not a point of the curve
 */
export function encryptPush(message: Uint8Array, keys: PushKeys, { salt, privateKey }: PushRandom): Buffer {
  const ours = createECDH(curve)
  if (privateKey === undefined) ours.generateKeys()
  else ours.setPrivateKey(privateKey)
  const secret = ikmOf(ours, keys)
  const header = Buffer.concat([salt, uint32(recordSize), Buffer.from([65]), ours.getPublicKey()])
  return Buffer.concat([header, encryptRecord(message, secret, salt)])
}

/** The input keying material: combines the shared secret of the keys with the secret of the browser (RFC 8291 §3.4). */
function ikmOf(ours: ECDH, { p256dh, auth }: PushKeys): Uint8Array {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ours.getPublicKey()])
  return new Uint8Array(hkdfSync('sha256', ours.computeSecret(p256dh), auth, info, 32))
}

/**
 * The last and only record of a message, without padding (RFC 8188 §2).
 * @param secret the input keying material
 */
export function encryptRecord(message: Uint8Array, secret: Uint8Array, salt: Uint8Array): Buffer {
  const pseudorandom = createHmac('sha256', salt).update(secret).digest()
  const key = expand(pseudorandom, keyInfo, 16)
  const nonce = expand(pseudorandom, nonceInfo, 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The delimiter of the last record.
  return Buffer.concat([
    cipher.update(message),
    cipher.update(Buffer.from([2])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/** The first bytes of HKDF-Expand, of which one block is enough (RFC 5869 §2.3). */
const expand = (key: Uint8Array, info: Uint8Array, length: number): Uint8Array =>
  createHmac('sha256', key)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length)

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
