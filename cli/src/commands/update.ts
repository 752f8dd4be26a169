import { arch } from 'node:process'
import type { ClientBuild } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { printable } from '@svc/terminal'
import { serverArguments } from '../arguments/common.ts'
import { findTarget, requireServer } from '../config/target.ts'
import { Failure, usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { connect } from '../http/connect.ts'
import { replaceWith } from '../update/fetch-build.ts'
import { findBuild } from '../update/find-build.ts'
import { requireReplaceablePath } from '../update/replaceable-path.ts'
import { ageOf } from '../update/versions.ts'
import { version } from '../program/version.ts'

const { server, profile, insecure } = serverArguments
const args = {
  server,
  profile,
  insecure,
  check: { type: 'boolean', description: 'Only check for a newer version; exits with 1 if there is one' },
  downgrade: { type: 'boolean', description: 'Also install an older version' },
} as const satisfies ArgsDef

export const update = (program: Program) =>
  defineCommand({
    meta: {
      name: 'update',
      description: 'Update svc to the version that the server offers, if it is newer',
    },
    args,
    async run({ args: given }) {
      const target = await requireServer(program, await findTarget(program, given))
      const client = connect(program, { ...target, token: undefined }, target.server)
      const { version: offered, clients } = await client.version()
      const build = findBuild(clients, program.installed, { platform: program.platform, arch })
      const wanted = wantedBuild(program, { offered, build, downgrade: given.downgrade === true })
      if (given.check === true) {
        if (wanted !== undefined) program.fail(1)
        return
      }
      if (wanted === undefined) return
      requireSecureConnection(target.server, target.insecure)
      const path = await requireReplaceablePath(program.installed)
      const { environment, platform, interrupted: signal } = program
      const source = { server: target.server, insecure: target.insecure, environment, platform, signal }
      await replaceWith(source, wanted, path)
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
  const theirs = printable(offered)
  if (build === undefined) throw new Failure(`the server (${theirs}) offers no svc for this system`)
  switch (ageOf(offered, version)) {
    case 'newer':
      program.printToStderr(`the server offers svc ${theirs} (this is ${version})`)
      return build
    case 'same':
      program.printToStderr(`svc ${version} is the version that the server offers`)
      return undefined
    case 'older':
      program.printToStderr(`the server offers svc ${theirs}, which is older than this (${version})`)
      if (!downgrade) program.printToStderr('use --downgrade to install it')
      return downgrade ? build : undefined
    case 'unknown':
      throw new Failure(`the server reports the version ${theirs}, which is invalid`)
  }
}

const thisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Over plain HTTP, both the program and its checksum may be forged. */
function requireSecureConnection(address: string, insecure: boolean): void {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:' || insecure || thisMachine.test(hostname)) return
  throw usageFailure(
    `${address} is not encrypted, so the program could be replaced on the way; use --insecure to install it anyway`,
  )
}
