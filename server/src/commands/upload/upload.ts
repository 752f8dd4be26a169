import { defineCommand } from 'citty'
import { metaOf } from '../base/descriptions.ts'
import type { Program } from '../base/program.ts'
import { deleteUpload } from './delete.ts'
import { listUploads } from './list.ts'
import { showUpload } from './show.ts'

export const upload = (program: Program) =>
  defineCommand({
    meta: metaOf('upload'),
    subCommands: {
      list: listUploads(program),
      show: showUpload(program),
      delete: deleteUpload(program),
    },
  })
