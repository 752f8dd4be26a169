import { withKey } from '@svc/contract'
import { createLinks } from '@svc/sdk'
import { defineCommand, type ArgsDef } from 'citty'
import { serverArgsDef } from '../../arguments/common-args.ts'
import { openLink } from '../../links/open-link.ts'
import type { Program } from '../../program/program.ts'
import { openBrowser } from '../../interactive/browser.ts'

const argsDef = {
  link: { type: 'positional', required: true, description: 'Link or id of an upload' },
  ...serverArgsDef,
} as const satisfies ArgsDef

export const open = (program: Program) =>
  defineCommand({
    meta: { name: 'open', description: 'Show an upload in the browser' },
    args: argsDef,
    async run({ args }) {
      const { link, base } = await openLink(program, args, args.link)
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
