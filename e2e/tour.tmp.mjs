import { chromium } from 'playwright-core'
const base = process.env.BASE ?? 'http://127.0.0.1:18080'
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox','--disable-gpu','--disable-dev-shm-usage','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] })
const only = process.argv.slice(2)
for (const scheme of ['light','dark']) for (const width of [390, 820, 1440]) {
  if (only.length && !only.includes(`${scheme}-${width}`)) continue
  const ctx = await browser.newContext({ colorScheme: scheme, viewport: { width, height: width===390?844:900 }, locale: process.env.LOC ?? 'en-GB', acceptDownloads: true, deviceScaleFactor: 1 })
  const page = await ctx.newPage()
  page.on('console', m => console.log('console', m.type(), m.text())); page.on('pageerror', e => console.log('pageerror', e.message))
  const shot = n => page.screenshot({ path: `/tmp/shots/${n}-${scheme}-${width}.png`, fullPage: true })
  await page.goto(base + '/'); await page.waitForSelector('h1'); await shot('1-empty')
  await page.setInputFiles('[data-testid=files]', [
    { name: 'Quarterly report (final).pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(2_340_000, 1) },
    { name: 'holiday.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(840_000, 2) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    { name: 'evil\u202egpj.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('x') } ])
  await page.waitForSelector('.files'); await shot('2-chosen')
  await page.click('.trigger'); await page.waitForSelector('.switch'); await page.click('text=Protect with a password'); await page.click('text=Add a note'); await shot('3-options')
  await page.fill('textarea', '# Hello\nHere are the **files** for [you](https://example.org).\n\n- one\n- two'); await page.click('text=Protect with a password'); await page.click('label:has-text("One download only")')
  await page.click('button.primary.large'); await page.waitForSelector('.share .rules'); await page.waitForSelector('text=Ready to share'); await shot('4-done')
  await page.click('.share .line .button:nth-of-type(2)'); await page.waitForSelector('.code'); await page.waitForTimeout(400); await page.screenshot({ path: `/tmp/shots/5-qr-${scheme}-${width}.png` }); await page.keyboard.press('Escape')
  await page.click('summary'); const admin = await page.inputValue('.own input'); 
  await page.goto('about:blank'); await page.goto(admin); await page.waitForSelector('.comments'); await shot('6-download')
  console.log(page.url())
  await page.click('text=Download all'); await page.waitForTimeout(500); await page.screenshot({ path: `/tmp/shots/7-confirm-${scheme}-${width}.png` })
  await page.click('text=Not now')
  await page.goto('about:blank'); await page.goto(base + '/#/?id=nothing'); await page.waitForSelector('h1'); await shot('8-gone')
  await ctx.close()
}
await browser.close()
