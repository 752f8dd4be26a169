/** Bytes of a wrapped file key: the key and the tag of its cipher. */
export const wrappedKeyBytes = 32

/** A wrapping key is used once, so its nonce may be constant (age v1, "scrypt recipient stanza"). */
export const zeroNonce = () => new Uint8Array(12)
