import { describe, expect, it } from 'vitest'
import { abovePart, holdsSignature, lettersOf } from '../src/launch/marks.ts'
import { annasAnswer, bertsAnswer, plainAnswer } from './support/signatures.ts'

const own = 'https://sign.example/'

describe('the letters of a signature', () => {
  it.each([
    ['<p>Viele Gr&uuml;&szlig;e, <a href="x">Anna</a></p>'],
    ['<div>\n  Viele Grü&szlig;e,<o:p></o:p> <span style="color:red">Anna</span></div>'],
    ['Viele Grüße,&nbsp;\r\nAnna & < >'],
    ['<p>Viele</p><p>Gr&#252;&#xDF;e, Anna</p>'],
  ])('are the same however an editor writes it: %s', html => {
    expect(lettersOf(html)).toBe('VieleGreAnna')
  })
})

describe('a signature', () => {
  it('is recognised by its tracked addresses, and not by pictures that others have too', () => {
    const [anna, bert] = [annasAnswer.new!, bertsAnswer.new!]
    expect(holdsSignature(`<p>Hello</p>${anna.html}`, anna, own)).toBe(true)
    expect(holdsSignature(`<p>Hello</p>${bert.html}`, anna, own)).toBe(false)
    expect(holdsSignature('<img src="https://sign.example/i/logo.png">', anna, own)).toBe(false)
  })

  it('is not recognised by a few letters', () => {
    const short = { html: '<p>Anna</p>', text: 'Anna', sha: '' }
    expect(holdsSignature('<p>Dear Anna</p>', short, own)).toBe(false)
    expect(holdsSignature('<p>Dear Anna</p>', plainAnswer.new!, own)).toBe(false)
  })
})

describe('the part above the quote', () => {
  it.each([
    ['<p>Hi</p><div id=divRplyFwdMsg>From</div>', false],
    ["<p>Hi</p><div style='border:none;border-top:solid #B5C4DF 1.0pt'>From</div>", false],
    ['<p>Hi</p><blockquote>quoted</blockquote>', false],
    ['Hi\n-----Original Message-----\nFrom: Carla', true],
    ['Hi\n> quoted', true],
  ])('ends where Outlook begins the quote: %s', (body, isText) => {
    expect(abovePart(body, isText, true, false)).not.toMatch(/From|quoted/)
    expect(abovePart(body, isText, true, false)).toContain('Hi')
    expect(abovePart(body, isText, false, false)).toBe(body)
  })

  it('keeps the lines of a signature in plain text', () => {
    const body = 'Hi\n-- \nAnna\n---\nAcme'
    expect(abovePart(body, true, true, false)).toBe(body)
  })
})
