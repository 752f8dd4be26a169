import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { beginSvcd, emptyDirectory, runSvcd, startSvcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

describe('svcd serve', () => {
  test('prints its address in one line; port 0 is any free one', async () => {
    const servers = [await startSvcd(directory), await startSvcd(directory)]
    const urls = servers.map(({ url }) => url)
    expect(new Set(urls).size).toBe(2)
    for (const server of servers) {
      expect(server.output()).toBe(`svcd listens on ${server.url}/\n`)
      expect((await sendRequest(server.url, '/health')).text).toBe('ok')
      server.kill('SIGTERM')
      expect((await server.ended).status).toBe(0)
    }
  })

  test('writes only JSON with LogFormat = "json"', async () => {
    const server = beginSvcd(['serve'], directory, { LOG_FORMAT: 'json' })
    await until('it listens', () => /"url":"[^"]+\/","msg":"listening"/.test(server.log()))
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ status: 0, output: '' })
  })

  test('ends with an error that names the port when the port is taken', async () => {
    const first = await startSvcd(directory)
    const { port } = new URL(first.url)
    const { status, stderr } = await runSvcd(['serve'], directory, { LISTEN_PORT: port })
    first.kill('SIGTERM')
    await first.ended
    expect(status).toBe(1)
    expect(stderr).toContain(port)
  })

  test('reports all problems of its configuration at once, with the names of the keys, and ends with 2', async () => {
    const settings = {
      LISTEN_PORT: 'eighty',
      MAX_FILE_SIZE_STR: 'huge',
      DEFAULT_TTL_STR: 'soon',
      UPLOAD_WHITELIST: '["nowhere"]',
      COLOUR: 'blue',
      FEATURE_ONE_SHOT: 'maybe',
    }
    await writeFile(join(directory, 'svcd.toml'), 'Unknown = 1\nLogLevel = "loud"\n')
    const { status, output, stderr } = await runSvcd(['serve'], directory, settings)
    expect([status, output]).toEqual([2, ''])
    for (const key of [
      'ListenPort',
      'MaxFileSizeStr',
      'DefaultTTLStr',
      'UploadWhitelist',
      'FeatureOneShot',
      'LogLevel',
    ]) {
      expect(stderr).toContain(key)
    }
    expect(stderr).toContain('SVCD_COLOUR')
    expect(stderr).toContain('Unknown')
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('reads the file that --config names, and says when it cannot', async () => {
    const file = join(directory, 'other.toml')
    await writeFile(file, 'LogLevel = "loud"')
    expect((await runSvcd(['serve', '--config', file], directory)).stderr).toContain('other.toml')
    const missing = await runSvcd(['serve', '--config', join(directory, 'none.toml')], directory)
    expect([missing.status, missing.stderr.includes('none.toml')]).toEqual([2, true])
  })
})

describe('svcd clean', () => {
  test('deletes the data of removed files once, and reports it', async () => {
    const server = await startSvcd(directory)
    const kept = await storeUpload(server, 'kept')
    const { upload, uploadToken } = await storeUpload(server, 'removed')
    await server.client.removeUpload(upload.id, { uploadToken })
    expect(storedFiles(server)).toHaveLength(2)
    const first = await runSvcd(['clean'], directory)
    expect([first.status, first.output]).toEqual([
      0,
      'expired 0 uploads, removed 0 abandoned files and 0 unfinished files, deleted the data of 1 file\n',
    ])
    expect(storedFiles(server)).toEqual([kept.file.id])
    expect((await runSvcd(['clean'], directory)).output).toContain('deleted the data of 0 files')
    expect((await sendRequest(server.url, kept.path)).text).toBe('kept')
    server.kill('SIGTERM')
    await server.ended
  })
})

test('svcd --help names the commands; an unknown one is rejected', async () => {
  const help = await runSvcd(['--help'], directory)
  expect(help.status).toBe(0)
  for (const command of ['serve', 'clean']) expect(help.output + help.stderr).toContain(command)
  expect((await runSvcd(['fly'], directory)).status).toBe(2)
})
