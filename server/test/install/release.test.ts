import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms } from '../../../scripts/tests/programs.ts'
import { memoryDirectory } from '../support/machine/temporary-directory.ts'

const checkout = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

let clone: string
/** The version of the last commit: while a release is checked, the version of the checkout is another one. */
let current: string

const git = async (...args: readonly string[]) => (await run('git', ['-C', clone, ...args])).stdout.trim()
const read = (path: string) => readFile(join(clone, path), 'utf8')
const write = (path: string, text: string) => writeFile(join(clone, path), text)

/** Runs the release in the clone, on 2027-01-15. */
async function release(
  ...args: readonly string[]
): Promise<{ readonly status: number; readonly output: string }> {
  const command = [join(clone, 'scripts/release/release.ts'), '--without-packages', ...args]
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1800000000' }
  try {
    const { stdout } = await run(process.execPath, command, { cwd: clone, env })
    return { status: 0, output: stdout }
  } catch (error) {
    const { code, stderr } = error as { readonly code: number; readonly stderr: string }
    return { status: code, output: stderr }
  }
}

const unchecked = (version: string) => release('--without-check', version)

beforeEach(async () => {
  clone = join(await memoryDirectory(), 'svc')
  await run('git', ['clone', '--quiet', '--shared', '--no-tags', checkout, clone])
  await git('config', 'user.name', 'Test')
  await git('config', 'user.email', 'test@localhost')
  // The last commit may be a release, after which there are no notes.
  current = (JSON.parse(await read('package.json')) as { version: string }).version
  await git('rm', '--quiet', '--ignore-unmatch', `changelog/${current}`)
  await write('changelog/NEXT', 'Next release\n\n- Something new.\n')
  await git('commit', '--quiet', '--all', '--allow-empty', '--message', 'something new')
})

const reason = missingPrograms('git')

describeUnless(reason, 'a release', () => {
  test('has its version everywhere, its notes with a date, a commit and a tag', async () => {
    const installation = await read('docs/install/debian.md')
    expect(await unchecked('97.98.99')).toEqual({
      status: 0,
      output: expect.stringContaining('git push origin HEAD v97.98.99') as string,
    })
    expect(await read('changelog/97.98.99')).toBe(`Release 97.98.99, 2027-01-15\n\n- Something new.\n`)
    expect(await read('changelog/NEXT')).toBe('Next release\n')
    const files = (await git('show', '--name-only', '--format=%s')).split('\n')
    expect(files[0]).toBe('release: version 97.98.99')
    for (const file of files.filter((name) => /package(-lock)?\.json$|Chart\.yaml$/.test(name))) {
      const text = await read(file)
      expect([file, text.match(/"?version"?: "?97\.98\.99/)?.length]).toEqual([file, 1])
      expect([file, text.match(/"@svc\/[a-z]+": "(?!97\.98\.99")[^"]*"/)]).toEqual([file, null])
    }
    expect(files.filter((name) => name.endsWith('package.json'))).toHaveLength(11)
    expect(await read('README.md')).toContain('This is version 97.98.99')
    expect(await read('docs/install/packages.md')).toContain('/v97.98.99 ')
    expect(await read('docs/install/debian.md')).toBe(
      installation.replaceAll(`svcd_${current}_amd64`, 'svcd_97.98.99_amd64'),
    )
    expect(await git('describe', '--exact-match')).toBe('v97.98.99')
    expect(await git('status', '--porcelain')).toBe('')
    // Only the version differs: the lock is still that of these packages.
    const changed = (await git('diff', 'HEAD~', '--', 'package-lock.json')).match(/^[-+] .*/gm) ?? []
    expect(changed.filter((line) => !line.includes('97.98.99') && !line.includes(current))).toEqual([])
  })

  test('can have the version that the checkout has, once', async () => {
    expect(await unchecked(current)).toMatchObject({ status: 0 })
    await write('changelog/NEXT', 'Next release\n\n- More.\n')
    await git('commit', '--quiet', '--all', '--message', 'more')
    expect(await unchecked(current)).toEqual({ status: 1, output: `${current} is released already\n` })
  })

  describe('is refused', () => {
    const unchanged = async () => {
      expect(await git('tag')).toBe('')
      expect((await git('log', '-1', '--format=%s')).startsWith('release: version')).toBe(false)
      await expect(access(join(clone, 'changelog/97.98.99'))).rejects.toThrow()
    }

    test.each([
      ['with an older version', '0.0.9', '0.0.9 is older than the current version, CURRENT'],
      [
        'with a pre-release',
        '97.0.0-rc.1',
        '“97.0.0-rc.1” is not a version: write MAJOR.MINOR.PATCH, such as 1.4.0',
      ],
      [
        'with a leading v',
        'v97.98.99',
        '“v97.98.99” is not a version: write MAJOR.MINOR.PATCH, such as 1.4.0',
      ],
    ])('%s', async (_, version, message) => {
      expect(await unchecked(version)).toEqual({
        status: 1,
        output: `${message.replace('CURRENT', current)}\n`,
      })
      await unchanged()
    })

    test('without a version, or with an unknown option', async () => {
      expect(await release()).toMatchObject({
        status: 1,
        output: expect.stringMatching(/^give the version/) as string,
      })
      expect(await release('--yes', '97.98.99')).toMatchObject({ status: 2 })
      await unchanged()
    })

    test('with uncommitted changes', async () => {
      await write('README.md', 'changed')
      expect(await unchecked('97.98.99')).toMatchObject({ status: 1 })
      expect(await read('README.md')).toBe('changed')
      await unchanged()
    })

    test('without release notes', async () => {
      await write('changelog/NEXT', 'Next release\n')
      await git('commit', '--quiet', '--all', '--message', 'nothing')
      expect(await unchecked('97.98.99')).toEqual({
        status: 1,
        output: 'changelog/NEXT has no release notes\n',
      })
      await unchanged()
    })

    test('before the set-up of the checkout, which may take minutes', async () => {
      await write('README.md', 'changed')
      // The clone has no packages.
      const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
      const env = { ...process.env, npm_node_execpath: process.execPath }
      const refused = run('sh', ['-c', `${scripts['release'] ?? ''} 97.98.99`], { cwd: clone, env })
      await expect(refused).rejects.toMatchObject({
        code: 1,
        stderr: 'the checkout has changes that are not committed: commit or stash them\n',
      })
      await unchanged()
    })

    test('when its check fails, and the files are as before', async () => {
      await write('.ci/run', '#!/bin/sh\ngrep -q 97.98.99 package.json && exit 3\n')
      await git('commit', '--quiet', '--all', '--message', 'a check that fails')
      const { status, output } = await release('97.98.99')
      expect({ status, output }).toMatchObject({
        status: 1,
        output: expect.stringContaining('the files are as before') as string,
      })
      expect(await git('status', '--porcelain')).toBe('')
      await unchanged()
    })
  })

  describe.each([0, 3])('whose check ends with %i', (status) => {
    test('leaves other changes alone', async () => {
      await write('.ci/run', `#!/bin/sh\necho more >>SECURITY.md\necho new >mine\nexit ${String(status)}\n`)
      await git('commit', '--quiet', '--all', '--message', 'a check')
      expect(await release('97.98.99')).toMatchObject({ status: status === 0 ? 0 : 1 })
      expect(await git('status', '--porcelain')).toBe('M SECURITY.md\n?? mine')
      expect(await git('tag')).toBe(status === 0 ? 'v97.98.99' : '')
    })
  })
})
