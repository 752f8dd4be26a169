#!/usr/bin/env node
// Starts svcd with the project's Node; any other Node can run this file. Plain JavaScript of 2019, for old Nodes.
import { prepare } from '../../scripts/prepare.mjs'
import { serverProcess } from '../../scripts/server-process.mjs'
import { replaceProcess } from '../../scripts/setup/replace-process.mjs'

prepare().then(() => {
  const { command, args, env } = serverProcess(process.argv.slice(2))
  replaceProcess(command, args, { ...env, ...process.env })
})
