import { defineCommand, type ArgsDef } from 'citty'
import { serverArgsDef } from '../../arguments/common-args.ts'
import { changeProfile, settingsPath } from '../../config/settings-file.ts'
import { findTarget, requireOneProfile } from '../../config/target.ts'
import type { Program } from '../../program/program.ts'

const argsDef = { profile: serverArgsDef.profile } as const satisfies ArgsDef

export const logout = (program: Program) =>
  defineCommand({
    meta: { name: 'logout', description: 'Remove the token from a profile' },
    args: argsDef,
    async run({ args }) {
      const { profile, profileName, server } = await findTarget(program, args)
      if (profile.token === undefined) {
        program.printToStderr('this profile has no token')
        return
      }
      await changeProfile(program, requireOneProfile(profileName), { token: undefined })
      program.printToStderr(`Removed the token from ${settingsPath(program)}.`)
      // Revoking a token requires a session (docs/protocol.md#authentication).
      if (server !== undefined) program.printToStderr(`To revoke it: ${server}/#/home/tokens`)
    },
  })
