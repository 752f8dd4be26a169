import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { integrity, packages, pinned, root } from '../setup/runtime.mjs'
import type { Source } from './source.ts'

/** The used fields of an in-toto statement whose predicate is SLSA's provenance. */
export interface Provenance {
  readonly _type: string
  readonly subject: readonly { readonly name: string; readonly digest: Readonly<Record<string, string>> }[]
  readonly predicateType: string
  readonly predicate: unknown
}

const digestOf = (path: string) => ({
  sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
})

/**
 * Says what a package was made of (SLSA 1.0, https://slsa.dev/spec/v1.0/provenance). It is not signed: the signature of the
 * package's checksums covers it.
 * @param folder the package
 * @param files paths in the folder, which are the subject
 * @param system `process.platform` and `process.arch` of its Node
 * @param node version of its Node
 */
export function provenanceOf(
  folder: string,
  files: readonly string[],
  { source, system, node }: { readonly source: Source; readonly system: string; readonly node: string },
): Provenance {
  const { revision, version } = source
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map((name) => ({ name, digest: digestOf(join(folder, name)) })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:svc:package:v1',
        externalParameters: { command: 'npm run package', system },
        internalParameters: { version, node },
        resolvedDependencies: [
          ...(revision === undefined ? [] : [{ name: 'source', digest: { gitCommit: revision } }]),
          { name: 'package-lock.json', digest: digestOf(join(root, 'package-lock.json')) },
          ...nodePackage(system, node),
        ],
      },
      runDetails: { builder: { id: env['SVC_BUILDER'] ?? 'urn:svc:builder:unnamed' } },
    },
  }
}

/** The npm package of the Node, if it comes from npm. */
function nodePackage(system: string, node: string) {
  const name = packages[system]
  const sum = node === pinned ? integrity[`${String(name)}@${node}`] : undefined
  if (name === undefined || sum === undefined) return []
  const sha512 = Buffer.from(sum.replace('sha512-', ''), 'base64').toString('hex')
  return [{ name, uri: `pkg:npm/${name}@${node}`, digest: { sha512 } }]
}
