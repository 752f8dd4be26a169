import { defineCommand, type ArgsDef } from 'citty'
import { serverArguments } from '../arguments/common.ts'
import { changeProfile, settingsPath } from '../config/settings-file.ts'
import { findTarget } from '../config/target.ts'
import type { Program } from '../program.ts'

const args = { profile: serverArguments.profile } as const satisfies ArgsDef

export const logout = (program: Program) =>
  defineCommand({
    meta: { name: 'logout', description: 'Forget the token of a profile' },
    args,
    async run({ args: given }) {
      const { profile, profileName, server } = await findTarget(program, given)
      if (profile.token === undefined) {
        program.complain('there is no token to forget')
        return
      }
      await changeProfile(program, profileName, { token: undefined })
      program.complain(`The token is no longer in ${settingsPath(program)}.`)
      // A token ends nothing, itself included: that takes a session (specification §1, chains).
      if (server !== undefined) program.complain(`To end it for good: ${server}/#/home/tokens`)
    },
  })
