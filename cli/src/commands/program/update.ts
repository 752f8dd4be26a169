import { arch } from 'node:process'
import type { ClientBuild } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { serverArgsDef } from '../../arguments/common-args.ts'
import { findTarget, requireServer, type TargetWithServer } from '../../config/target.ts'
import { Failure, usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { connect } from '../../http/connect.ts'
import { canAsk, confirm } from '../../interactive/ask.ts'
import { replaceWith, type ExpectedSignature } from '../../update/fetch-build.ts'
import { findBuild } from '../../update/find-build.ts'
import { requireReplaceablePath } from '../../update/replaceable-path.ts'
import { parseSigningKey } from '../../update/minisign.ts'
import { updateKey } from '../../update/update-key.ts'
import { ageOf } from '../../update/versions.ts'
import { version } from '../../program/version.ts'

const { server, profile, insecure } = serverArgsDef
const argsDef = {
  server,
  profile,
  insecure,
  check: { type: 'boolean', description: 'Only check for a newer version; exits with 1 if there is one' },
  downgrade: { type: 'boolean', description: 'Also install an older version' },
  yes: {
    type: 'boolean',
    alias: 'y',
    description: 'Install without asking, even if the origin of the program is not proven',
  },
} as const satisfies ArgsDef

export const update = (program: Program) =>
  defineCommand({
    meta: {
      name: 'update',
      description:
        'Update svc to the version that the server offers, if it is newer and signed with the key of this svc',
    },
    args: argsDef,
    async run({ args }) {
      const target = await requireServer(program, await findTarget(program, args))
      const client = connect(program, { ...target, token: undefined }, target.server)
      const { version: offered, clients } = await client.version()
      const build = findBuild(clients, program.installed, { platform: program.platform, arch })
      const wanted = wantedBuild(program, { offered, build, downgrade: args.downgrade === true })
      if (args.check === true) {
        if (wanted !== undefined) program.fail(1)
        return
      }
      if (wanted === undefined) return
      const path = await requireReplaceablePath(program.installed)
      await requireTrust(program, target, args.yes === true)
      const { environment, platform, interrupted: signal } = program
      const source = { server: target.server, insecure: target.insecure, environment, platform, signal }
      await replaceWith(source, wanted, path, signatureOf(offered))
      program.printToStderr(`updated ${path} from ${version} to ${printable(offered)}`)
    },
  })

interface Offer {
  readonly offered: string
  readonly build: ClientBuild | undefined
  readonly downgrade: boolean
}

/**
 * Reports the version on the server.
 * @returns the build to install, if any
 */
function wantedBuild(program: Program, { offered, build, downgrade }: Offer): ClientBuild | undefined {
  const offeredVersion = printable(offered)
  if (build === undefined) throw new Failure(`the server (${offeredVersion}) offers no svc for this system`)
  switch (ageOf(offered, version)) {
    case 'newer':
      program.printToStderr(`the server offers svc ${offeredVersion} (this is ${version})`)
      return build
    case 'same':
      program.printToStderr(`svc ${version} is the version that the server offers`)
      return undefined
    case 'older':
      program.printToStderr(`the server offers svc ${offeredVersion}, which is older than this (${version})`)
      if (!downgrade) program.printToStderr('use --downgrade to install it')
      return downgrade ? build : undefined
    case 'unknown':
      throw new Failure(`the server reports the version ${offeredVersion}, which is invalid`)
  }
}

const thisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** @throws Failure for a build whose key is invalid */
function signatureOf(version: string): ExpectedSignature | undefined {
  if (updateKey === undefined) return undefined
  const key = parseSigningKey(updateKey)
  if (key === undefined) throw new Failure('the key in this svc is not one of minisign; nothing was changed')
  return { key, version }
}

/** Why the origin of a program is not proven. */
const doubts = ({ server: address, insecure }: TargetWithServer): readonly string[] => {
  const { protocol, hostname } = new URL(address)
  const isSecure = protocol === 'https:' || insecure || thisMachine.test(hostname)
  return [
    // Over plain HTTP, both the program and its checksum may be forged.
    ...(isSecure ? [] : [`${address} is not encrypted, so the program could be replaced on the way`]),
    ...(updateKey === undefined ? ['this svc has no key to verify the signature of the program'] : []),
  ]
}

/** @throws Failure unless the origin of the program is proven, or the user trusts it */
async function requireTrust(program: Program, target: TargetWithServer, isTrusted: boolean): Promise<void> {
  const why = doubts(target).join('; ')
  if (why === '' || isTrusted) return
  if (!canAsk(program)) throw usageFailure(`${why}; use --yes to install it anyway`)
  if (!(await confirm(program, `${why}. Install the program of ${target.server}?`)))
    throw new Failure('nothing was changed')
}
