import { swiftBackend } from '../../../src/data/swift/open.ts'

/** Opens a container as a server does at its first start, which creates it. */
export const openSwift: typeof swiftBackend = async (...options) => {
  const backend = await swiftBackend(...options)
  await backend.createMissing?.()
  return backend
}
