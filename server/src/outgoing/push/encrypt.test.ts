import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptPush, encryptRecord, maxPushBytes } from './encrypt.ts'

const bytes = (base64url: string) => Buffer.from(base64url.replaceAll(/\s/g, ''), 'base64url')

test('a message is encrypted as the example of RFC 8291 (section 5 and appendix A)', () => {
  const keys = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const random = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  const message = Buffer.from('When I grow up, I want to be a watermelon')
  expect(encryptPush(message, keys, random).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('a record is encrypted as the example of RFC 8188 (section 3.1)', () => {
  const record = encryptRecord(
    Buffer.from('I am the walrus'),
    bytes('yqdlZ-tYemfogSmv7Ws5PQ'),
    bytes('I1BsxtFttlv3u_Oo94xnmw'),
  )
  expect(record.toString('base64url')).toBe('-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
})

test('a browser decrypts the longest message, and each has another key and salt', () => {
  const browser = createECDH('prime256v1')
  const keys = { p256dh: browser.generateKeys(), auth: Buffer.alloc(16, 7) }
  const message = Buffer.alloc(maxPushBytes, 'é')
  const sent = encryptPush(message, keys, { salt: Buffer.alloc(16, 9) })
  expect(sent.length).toBe(4096)
  const [salt, sender, record] = [sent.subarray(0, 16), sent.subarray(21, 86), sent.subarray(86)]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, sender])
  const ikm = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), keys.auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  expect(plain).toEqual(Buffer.concat([message, Buffer.from([2])]))
  expect(encryptPush(message, keys, { salt: Buffer.alloc(16, 9) })).not.toEqual(sent)
})

test('a public key that is not a point of the curve is refused', () => {
  const keys = { p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16) }
  expect(() => encryptPush(Buffer.from('x'), keys, { salt: Buffer.alloc(16) })).toThrow()
})
