// Draws an issued document as PDF/A-3b, which archives accept: fonts and colours are inside, and nothing is fetched. The
// same content gives the same bytes.
import { buffer } from 'node:stream/consumers'
import { invalid } from '#kernel/base/errors.ts'
import { formatAmount, formatHundredths } from '../issuing/amounts.ts'
import type { IssuedContent } from '../issuing/content.ts'
import { asFontName, loadPdfLibrary, type ParsedFont, type PdfLibrary } from './library.ts'
import { invoiceTexts } from './texts.ts'

const ink = '#111827'
const faint = '#6b7280'
const line = '#d1d5db'

/** 20 mm. */
const margin = 56.7
const pageWidth = 595.28
const width = pageWidth - 2 * margin
const right = pageWidth - margin
/** End of a page: A4 has 841.89 points. */
const bottom = 841.89 - margin

type Doc = InstanceType<PdfLibrary['Document']>

interface TextStyle {
  readonly size?: number
  readonly isBold?: boolean
  readonly color?: string
  readonly align?: 'left' | 'right'
}

/** A page to write on from top to bottom. `y` is where the next block begins. */
class Sheet {
  readonly #doc: Doc
  readonly #root: PDFKit.PDFStructureElement
  y = margin

  constructor(doc: Doc) {
    this.#doc = doc
    this.#root = doc.struct('Document')
    doc.addStructure(this.#root)
  }

  /** Writes a paragraph, and returns where it ends. */
  write(
    text: string,
    x: number,
    y: number,
    boxWidth: number,
    { size = 10, isBold = false, color = ink, align = 'left' }: TextStyle = {},
    tag = 'P',
  ): number {
    const doc = this.#doc
    const draw = () => {
      doc
        .font(isBold ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor(color)
      doc.text(text, x, y, { width: boxWidth, align, lineGap: size * 0.25 })
    }
    this.#root.add(doc.struct(tag, {}, draw))
    return doc.y
  }

  lines(texts: readonly string[], x: number, y: number, boxWidth: number, style?: TextStyle): number {
    return texts.reduce((at, text) => this.write(text, x, at, boxWidth, style), y)
  }

  /** Goes on with the next page when less than this height is left: a page break inside would part labels from amounts. */
  keepTogether(height: number): void {
    if (this.y + height <= bottom) return
    this.#doc.addPage()
    this.y = margin
  }

  rule(y: number, color = line, from = margin): void {
    this.#doc.moveTo(from, y).lineTo(right, y).lineWidth(0.75).strokeColor(color).stroke()
  }

  end(): void {
    this.#root.end()
  }
}

function dayOf(day: string, locale: string): string {
  // Some regions have another calendar or other digits: en-TH would count the years of Buddha.
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** The issuer on the left, what the document is on the right. */
function drawHead(sheet: Sheet, content: IssuedContent): void {
  const { issuer, kind, language } = content
  const texts = invoiceTexts[language]
  const taxId = issuer.taxId === null ? [] : [`${texts.taxId}: ${issuer.taxId}`]
  const title = kind === 'invoice' ? texts.invoice : texts.creditNote
  const titleStyle = { size: 22, isBold: true, align: 'right' } as const
  const titleEnd = sheet.write(title, margin + width / 2, margin - 4, width / 2, titleStyle, 'H1')
  const nameEnd = sheet.write(issuer.name, margin, margin, width / 2, { size: 12, isBold: true })
  const style = { size: 9, color: faint }
  const end = sheet.lines([...issuer.address, ...taxId], margin, nameEnd + 2, width / 2, style)
  sheet.y = Math.max(titleEnd, end) + 28
}

/** The facts of the document, each with its label. */
function factsOf(content: IssuedContent): readonly (readonly [string, string])[] {
  const texts = invoiceTexts[content.language]
  const { recipient, corrects, locale } = content
  const period = `${dayOf(content.periodFirst, locale)} –\n${dayOf(content.periodLast, locale)}`
  return [
    [texts.number, content.number],
    ...(corrects === null ? [] : [[texts.corrects, corrects] as const]),
    [texts.date, dayOf(content.issuedOn, locale)],
    [texts.period, period],
    ...(content.kind === 'invoice' ? [[texts.due, dayOf(content.dueOn, locale)] as const] : []),
    ...(recipient.reference === null ? [] : [[texts.reference, recipient.reference] as const]),
    ...(recipient.taxId === null ? [] : [[texts.yourTaxId, recipient.taxId] as const]),
  ]
}

function drawRecipient(sheet: Sheet, content: IssuedContent): void {
  const { recipient, language } = content
  const top = sheet.y
  const box = width / 2 - 24
  const label = sheet.write(invoiceTexts[language].to, margin, top, box, { size: 9, color: faint })
  const name = sheet.write(recipient.name, margin, label, box, { size: 11, isBold: true })
  const end = sheet.lines(recipient.address, margin, name + 1, box, { size: 10.5 })
  const [labels, values] = [margin + width / 2, margin + width / 2 + 108]
  const factsEnd = factsOf(content).reduce((y, [name, value]) => {
    const nameEnd = sheet.write(name, labels, y, 104, { size: 9.5, color: faint })
    return Math.max(nameEnd, sheet.write(value, values, y, right - values, { size: 9.5 })) + 3
  }, top)
  sheet.y = Math.max(end, factsEnd) + 36
}

const columns = { seats: 70, price: 92, amount: 92 }
const amountX = right - columns.amount
const priceX = amountX - columns.price
const seatsX = priceX - columns.seats

function drawTable(sheet: Sheet, content: IssuedContent): void {
  sheet.keepTogether(130)
  const texts = invoiceTexts[content.language]
  const { locale, currency } = content
  const row = (y: number, cells: readonly string[], style: TextStyle, tag: string): number => {
    const [description = '', seats = '', price = '', amount = ''] = cells
    const end = sheet.write(description, margin, y, seatsX - margin, style, tag)
    sheet.write(seats, seatsX, y, columns.seats, { ...style, align: 'right' }, tag)
    sheet.write(price, priceX, y, columns.price, { ...style, align: 'right' }, tag)
    sheet.write(amount, amountX, y, columns.amount, { ...style, align: 'right' }, tag)
    return end
  }
  const head = [texts.description, texts.quantity, texts.price, texts.amount]
  const headEnd = row(sheet.y, head, { size: 9, color: faint }, 'P')
  sheet.rule(headEnd + 4, ink)
  const cells = [
    texts.seats,
    formatHundredths(locale, content.seatHundredths),
    formatAmount(locale, content.price, currency),
    formatAmount(locale, content.net, currency),
  ]
  const rowEnd = row(headEnd + 14, cells, { size: 10.5, isBold: true }, 'P')
  const rule = `${texts.rules[content.seatRule]} ${texts.counted(content.countedDays)}`
  const ruleEnd = sheet.write(rule, margin, rowEnd + 3, seatsX - margin - 8, { size: 8.5, color: faint })
  sheet.rule(ruleEnd + 10)
  sheet.y = ruleEnd + 20
}

function drawTotals(sheet: Sheet, content: IssuedContent): void {
  const texts = invoiceTexts[content.language]
  const { locale, currency } = content
  const labelX = margin + width / 2
  sheet.keepTogether(110)
  const row = (label: string, amount: number, style: TextStyle): void => {
    const text = formatAmount(locale, amount, currency)
    const end = sheet.write(label, labelX, sheet.y, amountX - labelX - 40, style)
    sheet.write(text, amountX - 40, sheet.y, columns.amount + 40, { ...style, align: 'right' })
    sheet.y = end + 4
  }
  row(texts.net, content.net, { size: 10 })
  row(`${texts.tax} (${formatHundredths(locale, content.taxHundredths)} %)`, content.tax, { size: 10 })
  sheet.rule(sheet.y + 2, ink, labelX)
  sheet.y += 10
  row(`${texts.total} (${currency})`, content.total, { size: 13, isBold: true })
  sheet.y += 26
}

function drawRest(sheet: Sheet, content: IssuedContent): void {
  const { issuer, note, language, kind } = content
  if (note !== null) sheet.y = sheet.write(note, margin, sheet.y, width) + 16
  if (issuer.payment.length === 0 || kind === 'credit_note') return
  sheet.keepTogether(45)
  sheet.y = sheet.write(invoiceTexts[language].payment, margin, sheet.y, width, { size: 9, color: faint })
  sheet.y = sheet.lines(issuer.payment, margin, sheet.y, width)
}

/** Texts that are not in this code, by what they come from. */
function textsOf(content: IssuedContent): Record<string, readonly (string | null)[]> {
  const { issuer, recipient, note, locale, currency, price, net, tax, total } = content
  return {
    issuer: [issuer.name, ...issuer.address, issuer.taxId, ...issuer.payment],
    recipient: [recipient.name, ...recipient.address, recipient.taxId, recipient.reference],
    note: [note],
    locale: [
      ...[content.periodFirst, content.periodLast, content.issuedOn, content.dueOn].map(day =>
        dayOf(day, locale),
      ),
      formatHundredths(locale, content.seatHundredths),
    ],
    currency: [price, net, tax, total].map(amount => formatAmount(locale, amount, currency)),
  }
}

/** The blocks of Unicode that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A missing character would be drawn as an empty box, and pdfkit would draw Hebrew from left to right. */
function refuseUnknownCharacters(font: ParsedFont, content: IssuedContent): void {
  for (const [field, texts] of Object.entries(textsOf(content))) {
    const characters = [...texts.join('').replaceAll('\n', '')]
    const wrong = characters.filter(
      character => rightToLeft.test(character) || !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    )
    if (wrong.length === 0) continue
    const list = [...new Set(wrong)].slice(0, 10).join(' ')
    const message = `${field} has characters that invoices cannot show: ${list}`
    throw invalid(field, 'invalid', { message })
  }
}

export async function drawDocument(content: IssuedContent): Promise<Buffer> {
  const { Document, regular, bold } = await loadPdfLibrary()
  refuseUnknownCharacters(regular, content)
  const texts = invoiceTexts[content.language]
  const createdAt = new Date(content.createdAt)
  const doc = new Document({
    size: 'A4',
    margin,
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: content.language,
    // The default font of pdfkit would not be embedded.
    font: asFontName(regular),
    info: {
      // These texts are written into XML as they are: none of them comes from outside, except the checked number.
      Title: `${content.kind === 'invoice' ? texts.invoice : texts.creditNote} ${content.number}`,
      Creator: 'Signoff',
      Producer: 'Signoff',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  })
  doc.registerFont('regular', asFontName(regular))
  doc.registerFont('bold', asFontName(bold))
  const sheet = new Sheet(doc)
  drawHead(sheet, content)
  drawRecipient(sheet, content)
  drawTable(sheet, content)
  drawTotals(sheet, content)
  drawRest(sheet, content)
  sheet.end()
  doc.end()
  return buffer(doc)
}
