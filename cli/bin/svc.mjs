#!/usr/bin/env node
// Starts svc with the project's Node, under any Node. Plain JavaScript of 2019, for old Nodes.
import { join } from 'node:path'
import { prepare } from '../../scripts/prepare.mjs'
import { replaceProcess } from '../../scripts/setup/replace-process.mjs'
import { projectNode, root } from '../../scripts/setup/runtime.mjs'

prepare().then(() => {
  replaceProcess(projectNode(), [join(root, 'clients/svc.mjs'), ...process.argv.slice(2)], process.env)
})
