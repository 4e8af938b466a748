import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserFolder } from '#test/support/browser/browser.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import {
  createScreenshots,
  createThreadedScreenshots,
  type Drawing,
  type ScreenshotAppearance,
  type ScreenshotOptions,
  type Screenshots,
} from './index.ts'
import { findInstalledBrowser, runsBrowserFromNpm } from './installed.ts'
import { unpackBrowser } from './unpack.ts'

const publicUrl = 'https://sign.example.com'
const plain: ScreenshotAppearance = { theme: 'light', width: 'desktop' }

const opened: Screenshots[] = []
function createForTest(options: Partial<ScreenshotOptions> = {}, create = createScreenshots): Screenshots {
  const screenshots = create({
    publicUrl,
    chromium: null,
    folder: browserFolder(),
    load: async () => null,
    log: { warn: () => undefined },
    ...options,
  })
  opened.push(screenshots)
  return screenshots
}
const closeAll = async () =>
  void (await Promise.all(opened.splice(0).map(screenshots => screenshots.close())))

/** One browser for all tests of a group. Each test can set its own `load`. */
function shareScreenshots(): { readonly draw: Screenshots['draw']; load: ScreenshotOptions['load'] } {
  const nothing = async () => null
  const shared: ReturnType<typeof shareScreenshots> = {
    draw: (...args) => screenshots.draw(...args),
    load: nothing,
  }
  let screenshots: Screenshots
  beforeAll(() => {
    screenshots = createForTest({ load: path => shared.load(path) })
  })
  afterEach(() => {
    shared.load = nothing
  })
  afterAll(closeAll)
  return shared
}

// Unpacks the browser, which takes some seconds.
beforeAll(async () => {
  if (runsBrowserFromNpm) await unpackBrowser(browserFolder())
})

interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green and blue at a position in CSS pixels. */
  at(x: number, y: number): number[]
  /** The number of pixels with this colour. */
  count(colour: readonly number[]): number
}

async function pixelsOf({ png }: Pick<Drawing, 'png'>): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixel = (at: number) => [...data.subarray(3 * at, 3 * at + 3)]
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => pixel(2 * x + 2 * y * info.width),
    count([r, g, b]) {
      let matches = 0
      for (let at = 0; at < data.length; at += 3)
        if (data[at] === r && data[at + 1] === g && data[at + 2] === b) matches++
      return matches
    },
  }
}

const white = [255, 255, 255]
const dark = [31, 31, 31]
const red = [255, 0, 0]
const box = (width: number, height: number) =>
  `<div style="width:${width}px;height:${height}px;background-color:#ff0000"></div>`

const redPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 60, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()

/** Browsers that tests of other files in the same process left running. */
const others = new Set<number>()
beforeAll(() => {
  for (const pid of browsers()) others.add(pid)
})

/** The running browsers that the tests of this file started. */
const browsers = (): number[] => allBrowsers().filter(pid => !others.has(pid))

/** The pid of the only running browser. Polls, because a browser that is being ended runs for a moment longer. */
async function onlyBrowser(): Promise<number> {
  await expect.poll(browsers, eventually).toHaveLength(1)
  return browsers()[0] ?? 0
}

const program = runsBrowserFromNpm ? browserFolder() : String(await findInstalledBrowser())
function allBrowsers(): number[] {
  return globSync('/proc/[0-9]*').flatMap(folder => {
    try {
      const command = readFileSync(join(folder, 'cmdline'), 'latin1').split('\0')
      const status = readFileSync(join(folder, 'status'), 'latin1')
      const isOurs = status.includes(`PPid:\t${process.pid}\n`) && !status.includes('State:\tZ')
      return isOurs && command[0]?.startsWith(program) ? [Number(folder.slice('/proc/'.length))] : []
    } catch {
      return [] // the process ended meanwhile
    }
  })
}

const eventually = { interval: 20, timeout: 100_000 }
const endOf = (pid: number): Promise<void> =>
  expect
    .poll(() => {
      try {
        return /State:\tZ/.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
      } catch {
        return true
      }
    }, eventually)
    .toBe(true)

describe('a picture', () => {
  const shared = shareScreenshots()

  it.each([
    ['light', 'desktop', 1400, white],
    ['light', 'phone', 750, white],
    ['dark', 'desktop', 1400, dark],
    ['dark', 'phone', 750, dark],
  ] as const)('looks as in a mail client: %s, %s', async (theme, width, pixels, background) => {
    const picture = await pixelsOf(await shared.draw(box(100, 50), { theme, width }))
    expect([picture.width, picture.height]).toEqual([pixels, 2 * (50 + 24)])
    expect([picture.at(0, 0), picture.at(pixels / 2 - 1, 73)]).toEqual([background, background])
    expect([picture.at(11, 11), picture.at(12, 12), picture.at(111, 61), picture.at(112, 61)]).toEqual([
      background,
      red,
      red,
      background,
    ])
  })

  it('shows text in the colour of the client, unless the signature sets a colour', async () => {
    const uncoloured = '<span style="font-size:40px">Ada</span>'
    const coloured = '<span style="font-size:40px;color:#ff0000">Ada</span>'
    const drawPixels = async (html: string, theme: ScreenshotAppearance['theme']) =>
      pixelsOf(await shared.draw(html, { theme, width: 'desktop' }))
    expect((await drawPixels(uncoloured, 'light')).count([34, 34, 34])).toBeGreaterThan(500)
    expect((await drawPixels(uncoloured, 'dark')).count([232, 234, 237])).toBeGreaterThan(500)
    expect((await drawPixels(coloured, 'light')).count(red)).toBeGreaterThan(500)
    expect((await drawPixels(coloured, 'dark')).count(red)).toBeGreaterThan(500)
  })

  it('shows the files and icons of the service', async () => {
    const loadedPaths: string[] = []
    const body = await redPicture()
    shared.load = async path => {
      loadedPaths.push(path)
      return path.includes('missing') ? null : { body, contentType: 'image/png' }
    }
    const image = (path: string) =>
      `<img src="${publicUrl}${path}" width="30" height="30" style="display:block">`
    const html = ['/files/a.png?v=1', '/icons/b.png', '/files/missing.png'].map(image).join('')
    const picture = await pixelsOf(await shared.draw(html, plain))
    // A drawing is retried once when its browser died, and then loads the files again.
    expect([...new Set(loadedPaths)].sort()).toEqual([
      '/files/a.png?v=1',
      '/files/missing.png',
      '/icons/b.png',
    ])
    expect([picture.at(20, 20), picture.at(20, 50)]).toEqual([red, red])
    expect(picture.count(red)).toBe(2 * 60 * 60)
  })

  it('shows files and icons of a public address with a path and a port', async () => {
    const body = await redPicture()
    const loadedPaths: string[] = []
    const screenshots = createForTest({
      publicUrl: 'http://[::1]:3000/signoff',
      async load(path) {
        if (!path.startsWith('/')) return null
        loadedPaths.push(path)
        return { body, contentType: 'image/png' }
      },
    })
    const html = '<img src="http://[::1]:3000/signoff/icons/b.png"><img src="http://[::1]:3000/icons/b.png">'
    expect((await pixelsOf(await screenshots.draw(html, plain))).count(red)).toBe(4 * 60 * 60)
    expect(loadedPaths).toEqual(['/icons/b.png'])
  })

  it('is shrunk on a phone when it is wider than the screen', async () => {
    const picture = await pixelsOf(await shared.draw(box(726, 100), { theme: 'light', width: 'phone' }))
    expect([picture.width, picture.height]).toEqual([750, 124])
    expect([picture.at(8, 8), picture.at(366, 53)]).toEqual([red, red])
  })

  it('has a maximum size, for any signature', async () => {
    const html = `${box(9_000, 9_000)}<div style="position:absolute;top:9000px;left:9000px">x</div>`
    const picture = await pixelsOf(await shared.draw(html, plain))
    expect(picture.width).toBe(1400)
    expect(picture.height).toBeLessThanOrEqual(4_000)
  })

  it.each([
    ['Arial', 1706],
    ['Helvetica', 1706],
    ['Times New Roman', 1593],
    ['Courier New', 1229],
  ])('shows text with the character widths of %s', async (family, unitsOfM) => {
    const html = `<span style="font:20px '${family}';background-color:#ff0000;color:#ff0000">${'m'.repeat(20)}</span>`
    const picture = await pixelsOf(await shared.draw(html, plain))
    const end = 12 + Math.round((20 * 20 * unitsOfM) / 2048)
    expect([picture.at(end - 2, 20), picture.at(end + 2, 20)]).toEqual([red, white])
  })

  it.each([
    ['Chinese', '张伟，销售总监 國際'],
    ['Japanese', '山田太郎 カタカナ「営業部」'],
    ['Korean', '김민준 영업 이사'],
    ['Arabic', 'محمد الأحمد مدير المبيعات'],
    ['Hebrew', 'שלום עולם'],
    ['Thai', 'สวัสดี ผู้จัดการ'],
    ['Devanagari', 'नमस्ते प्रबंधक'],
    ['emoji', '😀 👩🏽‍💻 🇩🇪 ✈️ ☎'],
  ])('shows %s with the fonts from npm', async (_script, words) => {
    const families = ['Georgia,Times,serif', 'Courier New,monospace']
    const html = families.map(family => `<div style="font-family:${family}">${words}</div>`).join('')
    expect((await shared.draw(html, plain)).missingGlyphs).toEqual([])
  })

  it('shows emoji in colour', async () => {
    const picture = await pixelsOf(await shared.draw('<span style="font-size:40px">😀</span>', plain))
    expect(picture.count([255, 204, 77])).toBeGreaterThan(500)
  })

  it('names the characters that no font has, and counts the pictures that could not be loaded', async () => {
    const words = 'Ada \u{10ff00}\u{10ff01} \u{10ff00}'
    const html = `${words}<img src="${publicUrl}/files/gone.png"><img src="https://away.example/a.png">`
    const { missingGlyphs, missingPictures } = await shared.draw(html, plain)
    expect([missingGlyphs, missingPictures]).toEqual([['\u{10ff00}', '\u{10ff01}'], 2])
  })

  it('shows pictures of other servers, at most 20 of them', async () => {
    const body = await redPicture()
    const loadedPaths: string[] = []
    shared.load = async address => {
      loadedPaths.push(address)
      return { body, contentType: 'image/png' }
    }
    const image = (n: number) =>
      `<img src="https://pictures.example/${n}.png" width="10" height="10" style="display:block">`
    const drawing = await shared.draw(Array.from({ length: 25 }, (_, n) => image(n)).join(''), plain)
    expect(new Set(loadedPaths).size).toBeGreaterThanOrEqual(20)
    expect(drawing.missingPictures).toBe(5)
    expect((await pixelsOf(drawing)).count(red)).toBe(20 * 20 * 20)
  })

  it('has the same bytes every time', async () => {
    const html = '<b>Ada Lovelace</b><br><span style="font:14px Verdana">Analyst</span>'
    const [first, second] = [await shared.draw(html, plain), await shared.draw(html, plain)]
    expect(first.png.equals(second.png)).toBe(true)
  })
})

describe('the HTML in a picture', () => {
  const shared = shareScreenshots()

  it('runs no script', async () => {
    const html = `${box(100, 50)}<script>document.body.innerHTML = ''</script>
      <img src="x" onerror="document.body.innerHTML = ''"><svg onload="document.body.innerHTML = ''"></svg>
      <iframe srcdoc="<script>parent.document.body.innerHTML = ''</script>"></iframe>`
    expect((await pixelsOf(await shared.draw(html, plain))).at(20, 20)).toEqual(red)
  })

  it('reaches no network, and cannot navigate', async () => {
    let hits = 0
    const server = createServer(socket => {
      hits++
      socket.destroy()
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    const loadedPaths: string[] = []
    shared.load = async path => {
      loadedPaths.push(path)
      return null
    }
    for (const host of ['127.0.0.1', 'localhost']) {
      const to = `http://${host}:${port}`
      const html = `<base href="${to}/">${box(100, 50)}
        <img src="${to}/a"><img srcset="${to}/b 2x"><img src="//${host}:${port}/c"><img src="relative">
        <iframe src="${to}/d"></iframe><object data="${to}/e"></object><embed src="${to}/f">
        <meta http-equiv="refresh" content="0;url=${to}/g"><meta http-equiv="refresh" content="0;url=about:blank">
        <link rel="prefetch" href="${to}/h"><link rel="preconnect" href="${to}"><link rel="dns-prefetch" href="${to}">
        <link rel="preload" as="image" href="${to}/i"><link rel="stylesheet" href="${to}/j"><link rel="icon" href="${to}/k">
        <link rel="modulepreload" href="${to}/l"><link rel="prerender" href="${to}/m"><link rel="manifest" href="${to}/n">
        <style>@import "${to}/o"; @font-face { font-family: x; src: url(${to}/p) } p { font-family: x }</style><p>x</p>
        <div style="background:url(${to}/q)">x</div><table background="${to}/r"><tr><td>x</td></tr></table>
        <video src="${to}/s" poster="${to}/t" autoplay></video><audio src="${to}/u" autoplay></audio>
        <svg><image href="${to}/v" /><use href="${to}/w#x" /></svg><input type="image" src="${to}/x">
        <form action="${to}/y"></form><a ping="${to}/z" href="${to}/z">x</a>
        <script type="speculationrules">{"prefetch":[{"source":"list","urls":["${to}/spec"]}]}</script>`
      const picture = await pixelsOf(await shared.draw(html, plain))
      expect(picture.at(20, 20)).toEqual(red)
      await shared.draw('x', plain) // takes longer than any request
    }
    server.close()
    expect(hits).toBe(0)
    // Only pictures of other servers are asked for, from `load`, which fetches them under the rules of source_url.
    expect(loadedPaths.every(address => /^http:\/\/(127\.0\.0\.1|localhost):\d+\/\w+$/.test(address))).toBe(
      true,
    )
    const asked = new Set(loadedPaths.map(address => new URL(address).pathname))
    expect(
      [...asked].filter(
        path => !['/a', '/b', '/c', '/i', '/q', '/r', '/t', '/v', '/x', '/relative'].includes(path),
      ),
    ).toEqual([])
  })

  it('can load only files and icons of the service, no data: or file: address', async () => {
    const loadedPaths: string[] = []
    shared.load = async path => {
      loadedPaths.push(path)
      return null
    }
    const pixel = `data:image/png;base64,${(await redPicture()).toString('base64')}`
    const addresses = [
      `${publicUrl}/v1/folders`,
      `${publicUrl}/files/../v1/folders`,
      `${publicUrl}/files%2f..%2fv1/folders`,
      `${publicUrl}/preview`,
      `${publicUrl}.evil.example/files/a.png`,
      `${publicUrl}:8443/files/a.png`,
      `https://evil@sign.example.com:444/files/a.png`,
      'file:///etc/passwd',
      pixel,
    ]
    const html = addresses.map(address => `<img src="${address}" width="50" height="50">`).join('')
    const picture = await pixelsOf(
      await shared.draw(`<div style="height:0;overflow:hidden">${html}</div>${box(9, 9)}`, plain),
    )
    expect(picture.at(15, 15)).toEqual(red)
    expect([...new Set(loadedPaths)].sort()).toEqual([
      'https://sign.example.com.evil.example/files/a.png',
      'https://sign.example.com:8443/files/a.png',
    ])
    const drawn = await pixelsOf(
      await shared.draw(`<img src="${pixel}" width="50" height="50" alt="">`, plain),
    )
    expect(drawn.count(red)).toBe(0)
  })
})

/**
 * Retries until a picture is drawn in time: on a slow machine an ordinary picture can take longer than a short limit.
 */
const firstDrawing = (screenshots: Screenshots): Promise<void> =>
  expect
    .poll(
      () =>
        screenshots.draw('x', plain).then(
          ({ png }) => png.length,
          () => 0,
        ),
      eventually,
    )
    .toBeGreaterThan(0)

describe('drawing', () => {
  afterEach(closeAll)
  const never = () => new Promise<null>(() => undefined)
  const slowHtml = `<img src="${publicUrl}/files/slow.png">`

  it('draws two at once, queues three, and refuses the rest', async () => {
    const releases: (() => void)[] = []
    const screenshots = createForTest({
      limits: { atOnce: 2, waiting: 3, milliseconds: 100_000 },
      load: () => new Promise(done => void releases.push(() => done(null))),
    })
    const refused: unknown[] = []
    const drawings = Array.from({ length: 8 }, () =>
      screenshots.draw(slowHtml, plain).catch(error => refused.push(error)),
    )
    await expect.poll(() => releases.length, eventually).toBe(2)
    expect(refused).toHaveLength(3)
    for (const error of refused)
      expect(error).toMatchObject({ status: 503, code: 'unavailable', headers: { 'Retry-After': '2' } })
    // While another browser starts and draws a picture, no third drawing has started.
    await createForTest().draw('x', plain)
    expect(releases).toHaveLength(2)
    for (let started = 2; started < 5; started++) {
      releases[started - 2]?.()
      await expect.poll(() => releases.length, eventually).toBe(started + 1)
    }
    for (const release of releases) release()
    await Promise.all(drawings)
    expect(refused).toHaveLength(3)
    expect((await screenshots.draw('x', plain)).png.length).toBeGreaterThan(0)
  })

  it('in a thread also answers with Retry-After', async () => {
    const screenshots = createForTest({ limits: { atOnce: 0, waiting: 0 } }, createThreadedScreenshots)
    await expect(screenshots.draw('x', plain)).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'Retry-After': '2' },
    })
  })

  it('is aborted after the timeout, and the browser keeps running', async () => {
    const screenshots = createForTest({
      limits: { milliseconds: 1_000, closingMilliseconds: 100_000 },
      load: never,
    })
    await firstDrawing(screenshots)
    const before = browsers()
    await expect(screenshots.draw(slowHtml, plain)).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
    })
    await firstDrawing(screenshots)
    expect(browsers()).toEqual(before)
  })

  it('continues with a new browser when the old one hangs', { tags: ['deep'] }, async () => {
    const screenshots = createForTest({ limits: { milliseconds: 1_000 } })
    await firstDrawing(screenshots)
    const pid = await onlyBrowser()
    process.kill(pid, 'SIGSTOP')
    await expect(screenshots.draw('x', plain)).rejects.toMatchObject({ status: 503 })
    await firstDrawing(screenshots)
    await endOf(pid)
  })

  it('continues with a new browser when the old one was killed, between or during pictures', async () => {
    const loadedPaths: string[] = []
    const screenshots = createForTest({
      async load(path) {
        loadedPaths.push(path)
        if (loadedPaths.length === 1) process.kill(browsers()[0] ?? 0, 'SIGKILL')
        return null
      },
    })
    await screenshots.draw('x', plain)
    const first = await onlyBrowser()
    process.kill(first, 'SIGKILL')
    expect((await screenshots.draw('x', plain)).png.length).toBeGreaterThan(0)
    const [second] = browsers()
    expect(second).not.toBe(first)
    expect((await screenshots.draw(slowHtml, plain)).png.length).toBeGreaterThan(0)
    expect(loadedPaths.length).toBeGreaterThanOrEqual(2)
    await onlyBrowser()
  })

  it('ends the idle browser, and starts it again', async () => {
    const screenshots = createForTest({ limits: { idleMilliseconds: 200 } })
    await screenshots.draw('x', plain)
    const pid = await onlyBrowser()
    await endOf(pid)
    expect((await screenshots.draw('x', plain)).png.length).toBeGreaterThan(0)
  })

  it('answers 501 when there is no browser', async () => {
    const warnings: object[] = []
    const log = { warn: (fields: object) => void warnings.push(fields) }
    const screenshots = createForTest({ chromium: '/nowhere/chromium', log })
    for (let i = 0; i < 2; i++) {
      await expect(screenshots.draw('x', plain)).rejects.toMatchObject({
        status: 501,
        type: 'api_error',
        code: 'preview_unavailable',
      })
    }
    expect(warnings).toHaveLength(2)
  })

  it.each(['playwright-core', ...(runsBrowserFromNpm ? ['@sparticuz/chromium'] : [])])(
    'answers `preview_unavailable` without %s',
    async name => {
      const { stdout } = await inProcess(
        `const screenshots = createScreenshots(options)
       await screenshots.draw('x', appearance).then(() => console.log('drawn'), error => console.log(error.code))
       await screenshots.close()`,
        name,
      )
      expect(stdout.trim()).toBe('preview_unavailable')
    },
  )

  it('uses the browser that the operator configured', async () => {
    const { program, libraries } = runsBrowserFromNpm
      ? await unpackBrowser(browserFolder())
      : { program: await findInstalledBrowser(), libraries: '' }
    const chromium = join(await emptyFolder(), 'chromium')
    await writeFile(chromium, `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} exec ${program} "$@"\n`, {
      mode: 0o755,
    })
    const screenshots = createForTest({ chromium, folder: await emptyFolder() })
    expect((await pixelsOf(await screenshots.draw(box(100, 50), plain))).at(20, 20)).toEqual(red)
  })
})

describe('stopping', () => {
  afterEach(closeAll)
  /** The milliseconds for the first picture, including the start of the browser. They show how fast this machine is. */
  async function drawFirst(screenshots: Screenshots): Promise<number> {
    const startedAt = performance.now()
    await screenshots.draw('x', plain)
    return performance.now() - startedAt
  }
  const closingMilliseconds = 1_500

  it('ends the browser, and rejects running and waiting drawings', async () => {
    const loading = Promise.withResolvers<void>()
    const screenshots = createForTest({
      limits: { atOnce: 1, milliseconds: 100_000 },
      load: () => {
        loading.resolve()
        return new Promise(() => undefined)
      },
    })
    const first = await drawFirst(screenshots)
    const pid = await onlyBrowser()
    const waiting = Promise.allSettled([
      screenshots.draw(`<img src="${publicUrl}/files/slow.png">`, plain),
      screenshots.draw('x', plain),
    ])
    await loading.promise
    const startedAt = performance.now()
    await screenshots.close()
    expect(performance.now() - startedAt).toBeLessThan(closingMilliseconds + 2 * first)
    await endOf(pid)
    for (const result of await waiting)
      expect(result).toMatchObject({ status: 'rejected', reason: { status: 503 } })
    await expect(screenshots.draw('x', plain)).rejects.toMatchObject({ status: 503 })
    expect(browsers()).toEqual([])
  })

  it('kills a browser that does not end', async () => {
    const screenshots = createForTest()
    const first = await drawFirst(screenshots)
    const pid = await onlyBrowser()
    process.kill(pid, 'SIGSTOP')
    const startedAt = performance.now()
    await screenshots.close()
    expect(performance.now() - startedAt).toBeLessThan(closingMilliseconds + 2 * first)
    await endOf(pid)
  })

  it('by SIGKILL leaves no browser running either', async () => {
    const { stdout } = await inProcess(
      `const screenshots = createScreenshots(options)
       await screenshots.draw('x', appearance)
       const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ')
       console.log(children.join(' '))
       process.kill(process.pid, 'SIGKILL')`,
    ).catch(error => error)
    const pids = stdout.trim().split(' ').map(Number)
    expect(pids).toHaveLength(1)
    await endOf(pids[0])
  })
})

/** Runs code with the same parts in a separate process, optionally as if a package were not installed. */
function inProcess(code: string, missing = ''): Promise<{ stdout: string }> {
  const hide = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name === '${missing}') throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    } })`
  const options = { publicUrl, chromium: null, folder: browserFolder() }
  const program = `import { readFileSync } from 'node:fs'
    import { createScreenshots } from '${join(import.meta.dirname, 'index.ts')}'
    const options = { ...${JSON.stringify(options)}, load: async () => null, log: { warn() {} } }
    const appearance = { theme: 'light', width: 'desktop' }
    ${code}`
  const asUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`
  return promisify(execFile)(process.execPath, [
    ...['--import', asUrl(hide)],
    ...['--input-type=module', '--eval', program],
  ])
}

describe.skipIf(!runsBrowserFromNpm)('unpacking', () => {
  it('is done once for simultaneous calls, leaves no partial folder, and deletes old versions', {
    tags: ['deep'],
  }, async () => {
    const folder = await emptyFolder()
    const old = join(folder, 'chromium-100.0.0')
    const fresh = join(folder, 'chromium-147.0.0-half')
    await mkdir(old)
    await mkdir(fresh)
    await utimes(old, 0, 0)
    const [first, second] = await Promise.all([unpackBrowser(folder), unpackBrowser(folder)])
    expect(first).toEqual(second)
    const names = await readdir(folder)
    expect(names.sort()).toEqual([first.program.split('/').at(-2), 'chromium-147.0.0-half'])
    await rm(folder, { recursive: true }) // 200 MB
  })

  it('replaces a folder in which the program is missing', { tags: ['deep'] }, async () => {
    const folder = await emptyFolder()
    const target = join(folder, 'chromium-147.0.0')
    await mkdir(join(target, 'lib'), { recursive: true })
    await writeFile(join(target, 'lib/left'), '')
    const { program } = await unpackBrowser(folder)
    expect(program).toBe(join(target, 'chromium'))
    expect((await readdir(target)).sort()).toEqual(expect.arrayContaining(['chromium', 'fonts', 'lib']))
    expect(await readdir(join(target, 'lib'))).not.toContain('left')
    await rm(folder, { recursive: true })
  })

  it('refuses a folder that other users can write to', async () => {
    const folder = join(await emptyFolder(), 'cache')
    await mkdir(folder)
    await chmod(folder, 0o777)
    await expect(unpackBrowser(folder)).rejects.toThrow('closed to the writing of others')
  })
})
