import module, { Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileCacheFolder } from './program/compile-cache-folder.ts'
import { programText } from './program/program-text.ts'

/**
 * Starts svc. Node compiles the program from a text, because what it compiles in this file comes before the program can say where
 * the cache is.
 */
const folder = compileCacheFolder()
if (folder !== undefined) module.enableCompileCache(folder)

/** What Node's loader calls for each file of CommonJS, and tools that compile such files. It uses the cache. */
interface CommonJSModule {
  _compile(text: string, file: string, format: 'commonjs'): void
}

const { url } = import.meta
// An executable is not a file of JavaScript, and its threads have an address with the program in it.
const file = url.startsWith('file:') ? fileURLToPath(url) : process.execPath
;(new Module(file) as unknown as CommonJSModule)._compile(programText, file, 'commonjs')
