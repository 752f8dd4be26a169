import { withKey } from '@svc/contract'
import { createLinks } from '@svc/sdk'
import { defineCommand, type ArgsDef } from 'citty'
import { serverArguments } from '../../arguments/common.ts'
import { openLink } from '../../links/open-link.ts'
import type { Program } from '../../program/program.ts'
import { openBrowser } from '../../interactive/browser.ts'

const args = {
  link: { type: 'positional', required: true, description: 'Link or id of an upload' },
  ...serverArguments,
} as const satisfies ArgsDef

export const open = (program: Program) =>
  defineCommand({
    meta: { name: 'open', description: 'Show an upload in the browser' },
    args,
    async run({ args: given }) {
      const { link, base } = await openLink(program, given, given.link)
      const { fileID, uploadToken, key, manifest } = link
      const page = createLinks(base).pageURL(
        { id: link.uploadID },
        { ...(fileID !== undefined && { fileID }), ...(uploadToken !== undefined && { uploadToken }) },
      )
      const url = withKey(page, key, manifest)
      // Without a browser the address is printed.
      if (!(await openBrowser(program, url))) program.print(url)
    },
  })
