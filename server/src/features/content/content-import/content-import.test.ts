import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { startPictures } from '#test/support/files/signature-pictures.ts'
import { loopLimit, watchLoop } from '#test/support/processes/loop-watch.ts'
import { createTeammate, fieldIds, unknownId } from '#test/support/world.ts'

let app: TestApp
let pictures: string
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1' } })
  pictures = await startPictures()
})

interface Block {
  readonly type: string
  readonly children?: readonly Block[]
  readonly tokens?: readonly {
    readonly value?: string
    readonly smartFieldUuid?: string
    readonly href?: object
  }[]
  readonly [field: string]: unknown
}

const importHtml = (html: string, fields: object = {}) => app.post('/v1/content/import', { html, ...fields })

async function imported(html: string, fields: object = {}) {
  const answer = await importHtml(html, fields)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

/** All blocks, in reading order. */
const blocksIn = (block: Block): Block[] => [block, ...(block.children ?? []).flatMap(blocksIn)]
const ofType = (content: Block, type: string): Block[] =>
  blocksIn(content).filter(block => block.type === type)
const codesOf = (notes: readonly { code: string }[]): string[] => [...new Set(notes.map(note => note.code))]
const textOf = (content: Block): string =>
  blocksIn(content)
    .map(({ tokens = [] }) => tokens.map(token => token.value ?? '').join(''))
    .join(' ')
    .replace(/\s+/g, ' ')
const assetCount = async (): Promise<number> => (await app.get('/v1/assets?limit=100')).body.data.length

describe('an import', () => {
  it('is content that a new signature accepts, with an id on every block and token', async () => {
    const { content } = await imported('<b>Ada</b> <a href="mailto:ada@example.com">ada@example.com</a>')
    expect(content.type).toBe('stack')
    for (const { id, tokens = [] } of blocksIn(content))
      expect([id, ...tokens.map(token => (token as { id?: string }).id)]).not.toContain(undefined)
    const created = await app.post('/v1/signatures', { name: 'Imported', draft_content: content })
    expect([created.status, created.body.data.draft_content]).toEqual([201, content])
  })

  it('takes the styles of texts from tags, attributes, classes and inline styles', async () => {
    const { content } = await imported(
      '<style>p.lead{color:#ff0000;font-size:12pt}</style><p class=lead>Red <font face="Georgia" size=2>small</font> <b><u>line</u></b></p>',
    )
    expect(ofType(content, 'text')[0]?.tokens).toMatchObject([
      { value: 'Red ', textStyle: { color: '#ff0000', fontSize: 16 } },
      { value: 'small', textStyle: { color: '#ff0000', fontSize: 13, fontFamily: 'Georgia' } },
      { value: ' ' },
      { value: 'line', textStyle: { fontWeight: 'bold', textDecoration: 'underline' } },
    ])
  })

  it('makes a button of a padded link with a background, and an outlined one of a border', async () => {
    const style = 'display:inline-block;padding:8px 16px;border-radius:4px'
    const { content } = await imported(
      `<a href="https://a.example/" style="${style};background:#0a7;color:#fff">Meet</a><br><a href="https://b.example/" style="${style};border:1px solid #07a">Read</a>`,
    )
    expect(ofType(content, 'button')).toMatchObject([
      { href: { text: 'https://a.example/' }, backgroundColor: '#00aa77', borderRadius: 4 },
      { href: { text: 'https://b.example/' }, backgroundColor: '#0077aa', variant: 'outline' },
    ])
  })

  it('recognises social networks by their targets, also behind a redirect', async () => {
    const icon = (href: string) =>
      `<td><a href="${href}"><img src="${pictures}/i-20x20.png" width=20 height=20></a></td>`
    const row = [
      'https://uk.linkedin.com/in/ada',
      'https://click.example.com/?to=https%3A%2F%2Fwww.instagram.com%2Fada',
      'https://x.com/ada',
    ]
    const { content } = await imported(`<table><tr>${row.map(icon).join('')}</tr></table>`)
    const [list] = ofType(content, 'socialList')
    expect(list?.iconSize).toBe(20)
    expect(list?.children?.map(({ name }) => name)).toEqual(['linkedin-in', 'instagram', 'x-twitter'])
    const single = await imported(icon('https://github.com/ada'))
    expect(ofType(single.content, 'icon')).toMatchObject([
      { name: 'github', href: { text: 'https://github.com/ada' } },
    ])
  })

  it('of rows with labels is a list, so that an empty value leaves no label behind', async () => {
    const { content } = await imported(
      '<table><tr><td>T</td><td>+44 20 7946 0101</td></tr><tr><td>E</td><td>ada@example.com</td></tr></table>',
    )
    expect(ofType(content, 'listItem').length).toBe(2)
  })

  it('of right-to-left text is mirrored content', async () => {
    const { content } = await imported('<div dir="rtl" style="text-align:right;padding-right:9px">ليلى</div>')
    expect(content.dir).toBe('rtl')
    expect(ofType(content, 'text')).toMatchObject([{ blockStyle: { marginLeft: 9 } }])
    expect(ofType(content, 'text')[0]).not.toHaveProperty('align')
    const mixed = await imported('<p>Ada</p><p dir="rtl">ליאת</p>')
    expect(mixed.not_mapped).toMatchObject([{ code: 'style', what: 'words written from right to left' }])
  })

  it('lists what it left out, with its place', async () => {
    const html = await readFile(
      join(import.meta.dirname, '../../../../test/signatures/hidden-things.html'),
      'utf8',
    )
    const { content, not_mapped } = await imported(html)
    expect(codesOf(not_mapped).sort()).toEqual(['hidden', 'link', 'script', 'tracking_pixel', 'word_only'])
    expect(textOf(content)).not.toContain('nobody sees')
    expect(not_mapped).toContainEqual({ code: 'link', what: 'javascript:alert(1)', where: 'p[2] > a' })
    const more = await imported(
      '<sup>1</sup><v:rect>drawing</v:rect><p style="font-family:Lato">x</p><img src="cid:a@b"><img src="file:///c:/a.png"><table background="https://a.example/b.png"><tr><td>y</table><form><input value=z></form><iframe></iframe>',
    )
    expect(codesOf(more.not_mapped).sort()).toEqual([
      'background_picture',
      'font',
      'form',
      'media',
      'picture',
      'style',
      'vml',
    ])
  })

  it('lists each kind of style that content cannot show once', async () => {
    const { not_mapped } = await imported(
      `<style>@media (max-width:600px){p{color:red}} a:hover{color:red}</style>
       <p style="opacity:.5">a</p><p style="opacity:.7">b</p><div style="border-top:1px dashed red">c</div>
       <div style="position:absolute;left:9px">d</div><marquee>e</marquee><ol type=a><li>f</ol><ul style="list-style:square inside"><li>g</ul>
       <ul style="list-style:disc"><li>h</ul><ol type=1><li>i</ol>`,
    )
    expect(not_mapped.map(({ what }: { what: string }) => what)).toEqual([
      'rules for some screens (@media)',
      'rules for links under the pointer (:hover)',
      'opacity: shown without it',
      'a dashed border, shown as a solid one',
      'a free position (absolute or fixed)',
      'moving text (marquee)',
      'the list style lower-alpha, shown as decimal',
      'the list style square, shown as disc',
    ])
  })

  it('takes https for links without a scheme', async () => {
    const { content } = await imported('<a href=" //www.example.com/x">Example</a>')
    expect(ofType(content, 'text')[0]?.tokens).toMatchObject([
      { href: { text: 'https://www.example.com/x' } },
    ])
  })

  it('shows bullets and numbers before their texts in plain text', async () => {
    const { content } = await imported('<ul type="constructor"><li>Fair trade</ul><ol><li>First</ol>')
    const preview = await app.post('/v1/content/preview', { content })
    expect(preview.body.data.text).toBe('• Fair trade\n1. First')
  })

  it.each(['cid:logo', 'http://127.0.0.1:1/logo.png'])(
    'leaves no hole where the picture %s was',
    async source => {
      const { content, not_mapped } = await imported(
        `<table><tr><td width=120 style="padding-right:14px"><img src="${source}" width=90></td><td style="border-left:1px solid red">Ada</td></tr></table>`,
      )
      expect(codesOf(not_mapped)).toEqual(['picture'])
      expect(ofType(content, 'divider').length).toBe(1)
      for (const { blockStyle = {} } of blocksIn(content)) {
        expect(blockStyle).not.toHaveProperty('marginLeft')
        expect(blockStyle).not.toHaveProperty('width')
      }
    },
  )

  it('keeps the link of a picture that cannot be loaded', async () => {
    const { content, not_mapped } = await imported(
      `<a href="https://shop.example/"><img src="cid:1" alt="Our shop"></a><a href="https://news.example/"><img src="http://127.0.0.1:1/a.png" alt=News></a><img src="https://127.0.0.1:1/b.png" width=50 height=20 alt=Logo>`,
    )
    expect(textOf(content)).toMatch(/Our shop.*News/)
    expect(ofType(content, 'image')).toMatchObject([{ src: 'https://127.0.0.1:1/b.png', width: 50 }])
    expect(not_mapped.map((note: { code: string }) => note.code)).toEqual([
      'picture',
      'picture',
      'picture_not_fetched',
    ])
  })
})

describe('pictures of an import', () => {
  const picture = (name: string) => `<img src="${pictures}/${name}.png" width=40 height=40 alt="${name}">`

  it('become assets, each distinct picture once, also when imported again', async () => {
    const before = await assetCount()
    const html = `${picture('one-40x40')}${picture('one-40x40')}${picture('two-41x41')}`
    const first = await imported(html)
    expect(ofType(first.content, 'image').map(({ assetUuid }) => typeof assetUuid)).toEqual(
      Array(3).fill('string'),
    )
    expect(await assetCount()).toBe(before + 2)
    const again = await imported(html)
    const assetsOf = (content: Block) => ofType(content, 'image').map(({ assetUuid }) => assetUuid)
    expect(assetsOf(again.content)).toEqual(assetsOf(first.content))
    expect(await assetCount()).toBe(before + 2)
  })

  it('are at most 20; the others are listed', async () => {
    const before = await assetCount()
    const html = Array.from({ length: 24 }, (_, n) => `<p>${picture(`many-${n}-5${n}x50`)}</p>`).join('')
    const { not_mapped } = await imported(html)
    expect(not_mapped.length).toBe(4)
    expect(not_mapped[0]).toMatchObject({ code: 'picture' })
    expect(await assetCount()).toBe(before + 20)
  })

  it('are not stored when the address does not exist', async () => {
    const before = await assetCount()
    const answer = await importHtml(picture('never-30x30'), { email_id: unknownId })
    expect(fieldErrors(answer)).toEqual({ email_id: 'unknown_reference' })
    expect(await assetCount()).toBe(before)
  })

  it('are not fetched from networks that only this machine sees', async () => {
    const { not_mapped } = await imported('<img src="http://169.254.169.254/a.png" width=30 height=30>')
    expect(not_mapped[0].what).toContain('is not an address on the public internet')
  })
})

describe('values of a teammate', () => {
  it('become smart fields, and are listed with their confidence', async () => {
    const ids = await fieldIds(app)
    const { emailId } = await createTeammate(app, {
      email: 'grace@example.com',
      values: {
        [ids.first_name]: 'Grace',
        [ids.last_name]: 'Hopper',
        [ids.job_title]: 'Rear Admiral',
        [ids.work_phone]: '+44 20 7946 0101',
        [ids.calendar_link]: 'https://cal.example.com/grace',
      },
    })
    const { content, fields } = await imported(
      `<p>GRACE HOPPER</p><p>Rear Admiral | US Navy</p><p>T <a href="tel:+442079460101">+44 (0)20 7946-0101</a></p>
       <p><a href="mailto:grace@example.com">Grace@Example.com</a></p><p>Ring 020 7946 0101</p>
       <p><a href="https://www.cal.example.com/grace/">Book a time</a></p><p>Gracefield, Graceful Ltd</p>`,
      { email_id: emailId },
    )
    const byField = Object.fromEntries(
      Object.entries(ids).map(([key, id]) => [
        key,
        fields.filter((field: { smart_field_id: string }) => field.smart_field_id === id),
      ]),
    )
    expect(byField.first_name).toMatchObject([{ value: 'GRACE', confidence: 0.98 }])
    expect(byField.last_name).toMatchObject([{ value: 'HOPPER', confidence: 0.98 }])
    expect(byField.job_title).toMatchObject([{ value: 'Rear Admiral', confidence: 0.9 }])
    expect(byField.work_phone).toMatchObject([
      { value: '+44 (0)20 7946-0101', confidence: 0.95 },
      { value: '020 7946 0101', confidence: 0.75 },
    ])
    expect(byField.email).toMatchObject([{ value: 'Grace@Example.com', confidence: 1 }])
    expect(byField.calendar_link).toMatchObject([{ value: 'https://cal.example.com/grace' }])
    const tokens = ofType(content, 'text').flatMap(text => text.tokens ?? []) as {
      id: string
      smartFieldUuid?: string
    }[]
    for (const { token_id } of fields) expect(tokens.map(token => token.id)).toContain(token_id)
    expect(textOf(content)).not.toMatch(/GRACE|HOPPER|7946/)
    expect(textOf(content)).toContain('Gracefield, Graceful Ltd')
    const preview = await app.post('/v1/content/preview', { content, email_id: emailId })
    expect(preview.body.data.text).toContain('Grace Hopper')
  })

  it('behind a link replace its target, too, so that no other teammate leads to this one', async () => {
    const ids = await fieldIds(app)
    const { emailId } = await createTeammate(app, {
      email: 'joan@example.com',
      values: { [ids.first_name]: 'Joan', [ids.work_phone]: '+44 20 7946 0177' },
    })
    const { content, not_mapped } = await imported(
      `<p><a href="tel:02079460177">+44 20 7946 0177</a></p><p><a href="tel:+4930123456">020 7946 0177</a></p>
       <p><a href="tel:02079460177">Call me</a></p><p><a href="mailto:joan@example.com?subject=Hi">joan@example.com</a></p>
       <p><a href="mailto:joan@example.com">Joan</a></p><p><a href="mailto:team@example.com">Joan</a></p>`,
      { email_id: emailId },
    )
    const hrefs = ofType(content, 'text').flatMap(({ tokens = [] }) => tokens.map(({ href }) => href))
    const phone = { smartFieldUuid: ids.work_phone }
    const email = { smartFieldUuid: ids.email }
    expect(hrefs).toEqual([phone, phone, phone, email, email, { text: 'mailto:team@example.com' }])
    expect(not_mapped.map(({ code, what }: { code: string; what: string }) => `${code} ${what}`)).toEqual([
      'link tel:+4930123456, replaced by a link to the smart field work_phone',
      'link mailto:joan@example.com?subject=Hi, replaced by a link to the smart field email',
      'link mailto:team@example.com stays the same for all, beside the smart field first_name',
    ])
  })

  it('of another workspace cannot be used', async () => {
    const { emailId } = await createTeammate(app, { key: app.other.key })
    expect(fieldErrors(await importHtml('x', { email_id: emailId }))).toEqual({
      email_id: 'unknown_reference',
    })
  })
})

describe('an import within the limits of content', () => {
  it.each([
    [
      'depth',
      `${'<table><tr><td>a</td><td bgcolor=#eee>'.repeat(40)}end${'</td></tr></table>'.repeat(40)}`,
      'end',
    ],
    ['blocks', `<p>${'<p>line<hr>'.repeat(400)}`, 'line'],
    ['texts', '<p>word'.repeat(2_000), 'word'],
    [
      'bytes',
      Array.from({ length: 4_800 }, (_, n) => `<b style="color:#${String(n).padStart(6, '0')}">x</b>`).join(
        '',
      ),
      'x',
    ],
    ['one text', 'long text '.repeat(25_000), 'long text'],
  ])('is joined or cut at the limit of %s, and says so', async (name, html, text) => {
    const { content, not_mapped } = await imported(html)
    expect((await app.post('/v1/signatures', { name, draft_content: content })).status).toBe(201)
    expect(textOf(content)).toContain(text)
    if (name !== 'one text') expect(codesOf(not_mapped)).toContain('limit')
  })

  it('is refused beyond the limits of HTML', async () => {
    const problems = async (html: string) => fieldErrors(await importHtml(html))
    expect(await problems('ä'.repeat(200_000))).toEqual({ html: 'too_long' })
    expect(await problems('x'.repeat(300_000))).toEqual({ html: 'too_long' })
    expect(await problems('<div>'.repeat(1_000))).toEqual({ html: 'too_deep' })
    expect(await problems('<hr>'.repeat(20_000))).toEqual({ html: 'too_many' })
    expect(await problems(' ')).toEqual({ html: 'blank' })
  })

  const attributes = Array.from({ length: 40_000 }, (_, n) => n.toString(36)).join(' ')
  const misnested = `<p>${Array.from({ length: 300 }, (_, n) => `<b a=${n}>`).join('')}${'</p><p>x'.repeat(20_000)}`
  const selectors = Array.from({ length: 10_000 }, (_, n) => `.c${n % 500}{color:red;padding:1px}`).join('')
  const classes = Array.from({ length: 9 }, (_, n) => `c${n}`).join(' ')
  /** Browsers repeat a formatting element that is not closed in each following paragraph. */
  const copies = (tag: string) => `<p>${tag}x${'<p>x'.repeat(2_450)}`
  it.each([
    ['tags without end', '<div>'.repeat(50_000)],
    ['open brackets', '<'.repeat(250_000)],
    ['tags in tags', '<a<'.repeat(80_000)],
    ['thousands of tables', '<table><tr><td>x'.repeat(3_300)],
    ['cells beside all earlier ones', `<table>${'<tr><td colspan=10 rowspan=9000>x'.repeat(1_400)}</table>`],
    ['many small tables', '<table><tr><td>x</td></tr></table>'.repeat(1_200)],
    ['one large table', `<table>${'<tr><td>x<td>y'.repeat(1_600)}</table>`],
    ['spans', `<table>${'<tr><td colspan=60 rowspan=9000>x'.repeat(1_600)}</table>`],
    ['attributes', `<p ${attributes}>x`],
    ['misnested tags', misnested],
    ['entities', '&CounterClockwiseContourIntegral;'.repeat(7_000)],
    ['comments', '<!--[if mso]>x<![endif]-->'.repeat(9_000)],
    ['comments without end', '<!--[if '.repeat(30_000)],
    [
      'a style sheet',
      `<style>${selectors.slice(0, 150_000)}</style>${`<p class="${classes}">x`.repeat(2_000)}`,
    ],
    ['braces', `<style>${'{'.repeat(120_000)}${'@a{'.repeat(30_000)}`],
    ['a style attribute', `<p style="${'padding:1px;'.repeat(20_000)}">x`],
    ['brackets in a style', `<p style="background:${'('.repeat(200_000)}">x`],
    ['blanks', `<p>${' '.repeat(200_000)}x${'\u00a0'.repeat(20_000)}`],
    ['line breaks', '<br>'.repeat(4_900)],
    ['addresses', `<a href="https://${'a.'.repeat(100_000)}">x</a>`],
    ['lists', '<ul><li>x'.repeat(190)],
    ['floats', '<img align=left src=cid:1 width=9 height=9>x<br>'.repeat(1_600)],
    ['a data: address', `<img src="data:image/png;base64,${'A'.repeat(240_000)}">`],
    ['links', '<a href="https://a.example/?u=https://linkedin.com/x">x</a> '.repeat(2_400)],
    ['copies of a long class', `<style>b{color:red}</style>${copies(`<b class="${'x'.repeat(200_000)}">`)}`],
    ['copies of a long link', copies(`<a href="https://x.example/${'x'.repeat(200_000)}">`)],
    ['copies of a long style', copies(`<b style="${'color:red;'.repeat(20_000)}">`)],
    ['copies of long words', copies(`<b dir="${'x'.repeat(100_000)}" align="${'x'.repeat(100_000)}">`)],
    ['copies of many attributes', copies(`<b ${attributes.slice(0, 10_000)}>`)],
    [
      'rules for all elements',
      `<style>${'p,.a{color:red;border:1px solid red}'.repeat(1_000)}</style>${'<p class=a>x'.repeat(1_500)}`,
    ],
    ['a wide table', `<table>${`<tr>${'<td>x'.repeat(45)}`.repeat(100)}</table>`],
    ['floating boxes', '<div style="float:left">x</div>'.repeat(4_000)],
    ['inline blocks', '<div style="display:inline-block;padding:2px">x</div>'.repeat(4_000)],
    [
      'inline blocks in each other',
      `${'<span style="display:inline-block">'.repeat(370)}${'<i>x</i>'.repeat(4_000)}`,
    ],
    ['items', `<ul>${'<li>x'.repeat(4_800)}</ul>`],
    ['empty elements deep inside', `${'<span>'.repeat(380)}${'<i></i>'.repeat(3_800)}`],
    [
      'wide and high cells',
      `<table>${`<tr>${'<td colspan=99 rowspan=99>x'.repeat(100)}`.repeat(20)}</table>`,
    ],
  ])('does not hold the process: %s', async (name, html) => {
    const { result, held } = await watchLoop(() => importHtml(html.slice(0, 260_000)))
    expect([200, 422], `${name}: ${result.text.slice(0, 300)}`).toContain(result.status)
    if (result.status === 422) expect(Object.keys(fieldErrors(result))).toEqual(['html'])
    expect(held, name).toBeLessThan(loopLimit)
  })
})
