import { defineCommand } from 'citty'
import type { Program } from '../base/program.ts'
import { deleteUpload } from './delete.ts'
import { listUploads } from './list.ts'
import { showUpload } from './show.ts'

export const upload = (program: Program) =>
  defineCommand({
    meta: { name: 'upload', description: 'List, show and delete uploads' },
    subCommands: {
      list: listUploads(program),
      show: showUpload(program),
      delete: deleteUpload(program),
    },
  })
