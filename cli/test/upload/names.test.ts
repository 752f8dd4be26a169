import { execFile } from 'node:child_process'
import { chmod, mkdir, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Names that no upload can have, and what an archive keeps besides names and content. */
let server: Svcd
let svc: Svc
const run = promisify(execFile)

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc(server.url)
  await mkdir(svc.path('tree'))
})
afterEach(() => svc.close())

const sh = async (script: string) => {
  const program = `svc() { '${process.execPath}' '${svc.program}' "$@"; }`
  return run('bash', ['-c', `${program}; ${script}`], { cwd: svc.directory, env: { ...svc.environment } })
}

const namesOf = async (output: string) => {
  const [, id = ''] = /id=(\w{16})/.exec(output) ?? []
  return (await server.client.upload(id)).files.map(({ fileName }) => fileName)
}

describe('a name', () => {
  test('that is not UTF-8 is written out, with a warning', async () => {
    await sh(
      String.raw`printf content > $'tree/caf\xe9.txt'; mkdir $'tree/d\xff'; printf deep > $'tree/d\xff/b'`,
    )
    const { stdout, stderr } = await sh('svc tree')
    expect(await namesOf(stdout)).toEqual(['tree/caf%E9.txt', 'tree/d%FF/b'])
    expect(stderr).toContain('tree/caf%E9.txt: the name cannot be sent as it is; it is sent as caf%E9.txt')
    expect((await svc.run(['get', stdout.trim(), '-f', '*/caf*', '-o', '-'])).output).toBe('content')
  })

  test('of the command line that is not UTF-8 is found', async () => {
    await sh(String.raw`printf content > $'caf\xe9.txt'`)
    const { stdout, stderr } = await sh(String.raw`svc $'caf\xe9.txt'`)
    expect(await namesOf(stdout)).toEqual(['caf%E9.txt'])
    expect(stderr).toContain('it is sent as caf%E9.txt')
  })

  test('with control characters or another writing direction is written out, with a warning', async () => {
    await writeFile(svc.path('tree/a\nb'), '1')
    await writeFile(svc.path('tree/x\u202ey'), '2')
    await writeFile(svc.path('c\x1bd'), '3')
    const { stdout, stderr } = await sh(String.raw`svc tree $'c\x1bd'`)
    expect(await namesOf(stdout)).toEqual(['tree/a%0Ab', 'tree/x%E2%80%AEy', 'c%1Bd'])
    expect(stderr).toContain('it is sent as a%0Ab')
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  test('given with --name is refused in words that fit', async () => {
    await writeFile(svc.path('a'), 'a')
    const { status, stderr } = await svc.run(['a', '--name', 'x\ny'])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^svc: --name: the name contains control characters \(see/) as string,
    })
  })

  test('is written out in an archive, too', async () => {
    await sh(String.raw`printf content > $'tree/caf\xe9.txt'`)
    const { stdout } = await sh('svc -a tar tree')
    expect((await svc.run(['get', '-x', stdout.trim(), '-o', 'back'])).output).toBe(
      `${svc.path('back/tree/caf%E9.txt')}\n`,
    )
  })
})

describe('-a tar', () => {
  test.each(['tar', 'tar.gz', 'tar.zst'])(
    'keeps links, empty folders, modes and times (%s)',
    async (format) => {
      await mkdir(svc.path('tree/hollow'))
      await mkdir(svc.path('tree/deep'))
      await writeFile(svc.path('tree/deep/run'), 'x')
      await symlink('deep/run', svc.path('tree/inner'))
      await symlink('/nowhere/else', svc.path('tree/dangling'))
      await symlink('deep', svc.path('tree/folder'))
      await chmod(svc.path('tree/deep/run'), 0o754)
      await chmod(svc.path('tree/hollow'), 0o710)
      const time = new Date('2001-02-03T04:05:06Z')
      for (const name of ['tree/deep/run', 'tree/hollow', 'tree/deep', 'tree'])
        await utimes(svc.path(name), time, time)
      const { output, stderr, status } = await svc.run(['-q', '-a', format, 'tree'])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      await svc.run(['get', output.trim(), '-o', 'archive'])
      await run(
        'sh',
        ['-c', 'mkdir out && tar -x -p -a -f archive -C out || zstd -dc archive | tar -x -p -C out'],
        {
          cwd: svc.directory,
        },
      )
      expect(await readlink(svc.path('out/tree/inner'))).toBe('deep/run')
      expect(await readlink(svc.path('out/tree/dangling'))).toBe('/nowhere/else')
      expect(await readlink(svc.path('out/tree/folder'))).toBe('deep')
      for (const [name, mode] of [
        ['tree/deep/run', 0o754],
        ['tree/hollow', 0o710],
      ] as const) {
        const stats = await stat(svc.path(`out/${name}`))
        expect([stats.mode & 0o7777, stats.mtime]).toEqual([mode, time])
      }
      expect((await stat(svc.path('out/tree'))).mtime).toEqual(time)
    },
  )

  test('reports what it leaves out', async () => {
    await run('mkfifo', [svc.path('tree/pipe')])
    await writeFile(svc.path('tree/a'), 'a')
    expect(await svc.run(['-q', '-a', 'tar', 'tree'])).toMatchObject({
      status: 0,
      stderr: 'tree/pipe: not a file; skipped\n',
    })
  })

  test('of an archive of folders only is not empty', async () => {
    await mkdir(svc.path('tree/hollow'))
    const { output } = await svc.run(['-q', '-a', 'tar', 'tree'])
    expect(await svc.run(['get', '-x', output.trim(), '-o', 'back'])).toMatchObject({ status: 0 })
    expect((await stat(svc.path('back/tree/hollow'))).isDirectory()).toBe(true)
  })
})
