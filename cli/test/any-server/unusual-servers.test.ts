// Downloads from any web server: names, logins and responses of hostile and unusual ones.
import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { startServer } from '../support/foreign-servers.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

let svc: Svc
beforeEach(async () => {
  svc = await installSvc()
})
afterEach(() => svc.close())

const content = (name: string) => readFile(svc.path(name))

describe('a hostile or unusual server', () => {
  test.each([
    ['attachment; filename="../../evil.txt"', 'evil.txt'],
    [`attachment; filename*=UTF-8''..%2F..%2Fna%C3%AFve%20file.txt`, 'naïve file.txt'],
    ['attachment; filename="a\\"b.txt"', 'a"b.txt'],
    ['attachment; filename=plain.txt; size=3', 'plain.txt'],
    [`attachment; filename="${'x'.repeat(230)}.txt"`, `${'x'.repeat(196)}.txt`],
    ['inline', 'f'],
  ])('%j names the file %j', async (disposition, name) => {
    await using server = await startServer((_request, response) =>
      response.writeHead(200, { 'content-disposition': disposition }).end('x'),
    )
    const { status } = await svc.run(['get', `${server.url}/f`, '-o', 'in/'])
    expect({ status, names: await readdir(svc.path('in')) }).toEqual({ status: 0, names: [name] })
  })

  test('does not save a hidden file without a question', async () => {
    await using server = await startServer((_request, response) => response.end('x'))
    const { status, stderr } = await svc.run(['get', `${server.url}/.bashrc`])
    expect({ status, stderr }).toEqual({ status: 5, stderr: expect.stringContaining('--hidden') as string })
  })

  test('cannot send control sequences to the terminal', async () => {
    await using server = await startServer((_request, response) => response.end('x'))
    const { output, stderr } = await svc.run(['get', `${server.url}/%1b%5b2J%07.txt`])
    expect(output + stderr).not.toMatch(/(?!\n)\p{Cc}/u)
  })

  test('a response without a length is saved as it ends', async () => {
    await using server = await startServer((_request, response) => {
      response.write('one ')
      response.end('two')
    })
    expect(await svc.run(['get', `${server.url}/f`])).toMatchObject({ status: 0 })
    expect((await content('f')).toString()).toBe('one two')
  })

  test('a response whose first bytes are slow shows them before the rest', async () => {
    await using server = await startServer((_request, response) => response.write('a'.repeat(100)))
    const running = svc.start(['get', `${server.url}/f`, '-o', '-'])
    await new Promise((resolve) => running.child.stdout?.once('data', resolve))
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ status: 130, output: 'a'.repeat(100) })
  })

  test('a login goes only to a server that asks for it, and not to another origin', async () => {
    const seen: (string | undefined)[] = []
    await using other = await startServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end('x')
    })
    await using server = await startServer((request, response) => {
      const { authorization } = request.headers
      seen.push(authorization)
      if (authorization === undefined) response.writeHead(401).end()
      else response.writeHead(302, { location: `${other.url}/f` }).end()
    })
    const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`
    const environment = { SVC_PASSWORD: 'ada:secret' }
    expect(await svc.run(['get', `${server.url}/f`], { environment })).toMatchObject({ status: 0 })
    expect(seen).toEqual([undefined, basic, undefined])
    const { status, stderr } = await svc.run(['get', `${server.url}/f`])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('asks for a login') as string,
    })
  })

  test('a file that changes during its download leaves nothing behind', async () => {
    let count = 0
    await using server = await startServer((_request, response) => {
      count += 1
      response.writeHead(count === 1 ? 200 : 206, { etag: `"${String(count)}"`, 'content-length': 200_000 })
      if (count === 1) response.write(Buffer.alloc(100_000), () => response.destroy())
      else response.end(Buffer.alloc(100_000))
    })
    const { status, stderr } = await svc.run(['get', `${server.url}/f`])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('has changed') as string,
    })
    expect(stderr).not.toContain('to resume')
    expect((await readdir(svc.directory)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('redirects without an end do not keep the program running', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: '/f', 'content-length': '0' }).end(),
    )
    const { status, stderr } = await svc.run(['get', `${server.url}/f`])
    expect({ status, stderr }).toEqual({ status: 1, stderr: `svc: ${server.url}/f redirects too often\n` })
  })

  test.each([
    [507, 'text/plain', 'full\n', '507 Insufficient Storage: full'],
    [403, 'text/plain', `oops, sorry\nsecond line`, '403 Forbidden: oops, sorry'],
    [404, 'application/json', '{"detail":"x"}', '404 Not Found: x'],
    [410, 'text/plain', 'y'.repeat(900), `410 Gone: ${'y'.repeat(200)}…`],
    [501, 'text/html', '<h1>no</h1>', '501 Not Implemented'],
  ])('the error %i of %s is one line with the address', async (code, type, body, words) => {
    await using server = await startServer((request, response) => {
      request.resume()
      response.writeHead(code, { 'content-type': type }).end(body)
    })
    const message = `${server.url}/f responded with ${words}\n`
    const line = ['get', `${server.url}/f`, '--retries', '0']
    expect(await svc.run(line)).toMatchObject({ status: 1, stderr: `svc: ${message}` })
    for (const scheme of ['put+', 'tus+']) {
      const to = ['--to', `${scheme}${server.url}/f`, '--retries', '0']
      const { stderr } = await svc.run(['-', ...to], { input: 'x' })
      expect(stderr).toBe(`stdin: ${message}`)
    }
  })

  describeWith(['python3'], 'at a terminal', () => {
    test('login and password are asked for', async () => {
      const expected = `Basic ${Buffer.from('ada:secret').toString('base64')}`
      await using foreign = await startServer((request, response) =>
        response.writeHead(request.headers.authorization === expected ? 200 : 401).end('x'),
      )
      const { status } = await svcAtTerminal(svc, ['get', `${foreign.url}/f`], {
        answers: [
          ['Login for', 'ada\r'],
          ['Password:', 'secret\r'],
        ],
      })
      expect(status).toBe(0)
    })
  })
})

test('a page of a web application is not taken for a file', async () => {
  const { status, stderr } = await svc.run(['get', 'https://svc.example/#/?id=short'])
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('is not a link') as string,
  })
})
