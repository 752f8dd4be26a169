import { createContentDigest } from '@svc/encryption'
import type { ExpectedContent } from './expected-content.ts'

type Content = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

/**
 * A content that ends with an error if it is not the expected one. Its last chunk comes after the comparison, so that what
 * was received before the error is never complete.
 * @param content whose chunks stay valid: one is kept while the next is read
 * @param expected undefined for a content that is not compared
 * @throws ManifestError; the errors of the content
 */
export async function* verifiedContent(content: Content, expected: ExpectedContent | undefined): Content {
  if (expected === undefined) return yield* content
  const digest = createContentDigest()
  let last: Uint8Array<ArrayBuffer> | undefined
  for await (const chunk of content) {
    digest.update(chunk)
    if (last !== undefined) yield last
    last = chunk
  }
  const { size, sha256 } = digest.end()
  if (size !== expected.size || sha256 !== expected.sha256) throw expected.refuse()
  if (last !== undefined) yield last
}
