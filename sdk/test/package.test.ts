import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageSdk } from '../../scripts/package/sdk/sdk-package.ts'
import { startTestServer, type TestServer } from '../../server/test/support/servers/test-server.ts'
import { launch } from '../../e2e/src/support/browser.ts'
import { describeWith } from '../../scripts/tests/needs.ts'
import { createClient } from '../src/index.ts'
import { encryptingProgram, encryptInPage, pageOfPackage } from './encryption-programs.ts'
import { createServers } from './served.ts'
import { temporaryDirectory } from '../../server/test/support/machine/temporary-directory.ts'
import { readmeExamples, withValues, type Example } from './readme-examples.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

let server: TestServer
/** Contains the published package, its archive, and a project that has installed it. */
let directory: string
let project: string
let archive: string
beforeAll(async () => {
  server = await startTestServer()
  directory = await temporaryDirectory()
  project = join(directory, 'project')
  await packageSdk(join(directory, 'package'))
  await run('npm', ['pack', './package', '--silent'], { cwd: directory })
  archive = join(directory, (await readdir(directory)).find((name) => name.endsWith('.tgz')) ?? '')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }')
  const offline = ['--offline', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', archive, ...offline], { cwd: project })
})
afterAll(async () => {
  await server.close()
})

describe('the package', () => {
  test('passes publint', async () => {
    const { messages } = await publint({ pkgDir: join(directory, 'package'), strict: true })
    expect(messages).toEqual([])
  })

  test('has types for every ESM module resolution', async () => {
    const found = await checkPackage(createPackageFromTarballData(await readFile(archive)))
    if (!found.types) throw new Error('the package has no types')
    // CommonJS and the resolution of Node 10, which ignores `exports`, are not supported.
    const ofModules = found.problems.filter(
      (problem) =>
        !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
    )
    expect(ofModules).toEqual([])
  })

  test('has no dependencies, and refers neither to Node nor to the contract', async () => {
    expect(await readdir(join(project, 'node_modules'))).toEqual(['.package-lock.json', '@svc'])
    expect(await readdir(join(project, 'node_modules/@svc'))).toEqual(['sdk'])
    const installed = join(project, 'node_modules/@svc/sdk')
    expect((await readdir(installed)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    const code = await readFile(join(installed, 'dist/index.js'), 'utf8')
    expect(code).not.toMatch(/\bimport\b|\brequire\(|\bBuffer\b|\bprocess\./)
  })
})

/** A program that uses a part of the package, bundled as for a page, with the paths of its modules. */
async function bundled(
  program: string,
): Promise<{ readonly code: string; readonly modules: readonly string[] }> {
  const file = join(project, 'program.js')
  await writeFile(file, program)
  const bundle = await rolldown({ input: file, platform: 'browser', logLevel: 'warn' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return { code: output[0].code, modules: output[0].moduleIds }
}

test('a program bundles only the modules that it uses', async () => {
  const size = async (program: string) => (await bundled(program)).code.length
  const whole = await size(`export * from '@svc/sdk'`)
  const versionOnly = await size(
    `import { createConnection, serviceCalls } from '@svc/sdk'
     export const version = serviceCalls(createConnection({ baseURL: '' })).version`,
  )
  const links = await size(`export { createLinks } from '@svc/sdk'`)
  expect(whole).toBeGreaterThan(10_000)
  expect(versionOnly).toBeLessThan(whole * 0.6)
  expect(links).toBeLessThan(whole * 0.1)
})

test('a program that does not encrypt contains nothing of the encryption', async () => {
  const { code, modules } = await bundled(`export * from '@svc/sdk'`)
  expect(modules.filter((module) => module.includes('encryption'))).toEqual([])
  expect(code).not.toMatch(/WebAssembly|poly1305|scrypt|AGE-SECRET-KEY/i)

  const encrypting = await bundled(`export * from '@svc/sdk/encryption'`)
  expect(encrypting.code).toMatch(/AGE-SECRET-KEY/)
  const passphrase = await bundled(`export { generatePassphrase } from '@svc/sdk/encryption'`)
  expect(passphrase.code.length).toBeLessThan(encrypting.code.length * 0.5)
})

describeWith(['age', 'python3', 'chromium'], 'the encryption of the installed package', () => {
  // More than the calling thread of Node encrypts, so that its worker takes part.
  const content = randomBytes(5_000_000)
  const at = (name: string) => join(project, name)
  const opened = async (args: readonly string[]) =>
    (await run('age', ['-d', ...args], { cwd: project, encoding: 'buffer', maxBuffer: 2 * content.length }))
      .stdout
  let keys: { readonly identity: string; readonly recipient: string; readonly passphrase: string }
  beforeAll(async () => {
    await writeFile(at('content'), content)
    await writeFile(at('encrypting.ts'), encryptingProgram)
    const { stdout } = await run(process.execPath, [at('encrypting.ts')], { cwd: project })
    keys = JSON.parse(stdout) as typeof keys
  })

  test('encrypts files in Node that the age command opens', async () => {
    expect((await opened(['-i', 'identity', 'for-key.age'])).equals(content)).toBe(true)
    const typing = [join(root, 'encryption/test/type-passphrase.py'), keys.passphrase, '/usr/bin/age']
    await run('python3', [...typing, '-d', '-o', 'opened', 'for-passphrase.age'], { cwd: project })
    expect((await readFile(at('opened'))).equals(content)).toBe(true)
  })

  test('encrypts and decrypts in the workers of a browser, as the age command does', async () => {
    const { served, close } = createServers()
    const browser = await launch()
    try {
      const page = await browser.newPage()
      const workers = new Set<string>()
      page.on('worker', (worker) => workers.add(new URL(worker.url()).pathname))
      await page.goto(await served(pageOfPackage(at('node_modules/@svc/sdk'))))
      await page.waitForFunction('"encryption" in globalThis')
      await run('age', ['-r', keys.recipient, '-o', 'theirs.age', 'content'], { cwd: project })
      const results = await page.evaluate<{ readonly encrypted: string; readonly decrypted: string }>(
        encryptInPage({
          ...keys,
          content: content.toString('base64'),
          file: await readFile(at('theirs.age'), 'base64'),
        }),
      )
      expect(Buffer.from(results.decrypted, 'base64').equals(content)).toBe(true)
      await writeFile(at('of-page.age'), results.encrypted, 'base64')
      expect((await opened(['-i', 'identity', 'of-page.age'])).equals(content)).toBe(true)
      expect([...workers]).toEqual(['/dist/encryption/browser/worker.js'])
    } finally {
      await browser.close()
      await close()
    }
  })
})

describe('the examples of the README', () => {
  const film = randomBytes(20_000_000)
  let all: Example[]
  const example = (heading: string) => {
    const found = all.find((example) => example.heading === heading)
    if (found === undefined) throw new Error(`there is no example of “${heading}”`)
    return found
  }
  const runExample = async (heading: string, values: Readonly<Record<string, string>> = {}) => {
    const file = join(project, `${heading.replaceAll(/\W+/g, '-')}.ts`)
    await writeFile(file, withValues(example(heading).code, values))
    const { stdout } = await run(process.execPath, [file], { cwd: project })
    return stdout.trim().split('\n')
  }
  beforeAll(async () => {
    const upload = await server.client.createUpload()
    all = await readmeExamples({
      'https://svc.example': server.url,
      UPLOAD_ID: upload.id,
      UPLOAD_TOKEN: upload.uploadToken ?? '',
    })
    await writeFile(join(project, 'film.mkv'), film)
    await writeFile(join(project, 'one.txt'), 'one')
    await writeFile(join(project, 'two.txt'), 'two')
  })

  test('compile with the types of the package alone', async () => {
    const options = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: ['node'] }
    const compilerOptions = {
      ...options,
      exactOptionalPropertyTypes: true,
      noUnusedParameters: true,
      typeRoots: [join(root, 'node_modules/@types')],
      lib: ['es2024', 'dom', 'dom.asynciterable'],
    }
    const files = all.map((_, index) => `example-${String(index)}.ts`)
    await Promise.all(files.map((file, index) => writeFile(join(project, file), all[index]?.code ?? '')))
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const checked = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: project })
    const { stdout } = await checked.catch((error: unknown) => error as { readonly stdout: string })
    expect(stdout).toBe('')
  })

  test('send a file', async () => {
    const printed = await runExample('Send a file')
    expect(printed).toContain('20000000 of 20000000 bytes')
    const [link = '', page] = printed.slice(-2)
    expect(page).toMatch(`${server.url}/#/?id=`)
    expect(Buffer.from(await (await fetch(link)).arrayBuffer()).equals(film)).toBe(true)
  })

  test('send many files', async () => {
    const printed = await runExample('Send many files')
    expect(printed.slice(-3)).toEqual(['one.txt sent', 'two.txt cancelled', 'film.mkv sent'])
  })

  test('resume after the program ended, then download and verify', async () => {
    await runExample('Resume after the program ended')
    expect(await runExample('Download, verified')).toEqual(['film.mkv: 20000000 bytes'])
    expect((await readFile(join(project, 'got film.mkv'))).equals(film)).toBe(true)
  })

  test('encrypt and send a file, then download and decrypt it', async () => {
    const [link = ''] = await runExample('Encrypt and send')
    const [, id = '', passphrase = ''] = /#\/\?id=(\w+)#key=([\w-]+)$/.exec(link) ?? []
    const { files } = await server.client.upload(id)
    const [file] = files
    if (file === undefined) throw new Error('nothing was sent')
    const stored = await fetch(server.client.fileURL({ id }, file))
    const encrypted = Buffer.from(await stored.arrayBuffer())
    expect(encrypted.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
    expect(encrypted.length).toBeGreaterThan(film.length)

    const found = { ENCRYPTED_ID: id, PASSPHRASE: passphrase }
    expect(await runExample('Download and decrypt', found)).toEqual(['film.mkv decrypted'])
    expect((await readFile(join(project, 'decrypted film.mkv'))).equals(film)).toBe(true)
    const wrong = { ENCRYPTED_ID: id, PASSPHRASE: 'wrong' }
    expect(await runExample('Download and decrypt', wrong)).toEqual(['film.mkv: wrong_passphrase'])
  })

  test('handle errors', async () => {
    expect(await runExample('Errors')).toEqual(['it is gone'])
  })

  test('use a subset of the package', async () => {
    const { maxFileSize, defaultTTL } = await createClient({ baseURL: server.url }).configuration()
    expect(await runExample('Smaller bundles')).toEqual([`${String(maxFileSize)} ${String(defaultTTL)}`])
  })

  test('ask others for files', async () => {
    const printed = await runExample('Ask others for files')
    expect(printed[0]).toMatch(`${server.url}/#/request?id=`)
    expect(printed.join('\n')).toContain("fileName: 'report.txt'")
  })

  test('are all covered here', () => {
    expect(all.map(({ heading }) => heading)).toEqual([
      'Send a file',
      'Send many files',
      'Resume after the program ended',
      'Download, verified',
      'Encrypt and send',
      'Download and decrypt',
      'Errors',
      'Smaller bundles',
      'Ask others for files',
      'In a browser',
    ])
    expect(all.filter(({ inBrowser }) => inBrowser).map(({ heading }) => heading)).toEqual(['In a browser'])
  })
})
