// The documentation as resources, and the search in it.
import type { DocumentPage } from './api.ts'

export const documentUri = (name: string): string => `signoff://docs/${name}`

export interface FoundSection {
  readonly title: string
  readonly section: string
  readonly resource: string
  readonly text: string
}

interface Section {
  readonly page: DocumentPage
  readonly heading: string
  readonly text: string
}

const maxWords = 10
const maxResults = 5
const maxSectionLength = 3_000

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** A section is a heading of the second or third level with its text. */
const sectionsOf = (page: DocumentPage): readonly Section[] =>
  page.text.split(/^(?=#{2,3} )/m).map(text => ({
    page,
    heading: /^#+ (.*)/.exec(text)?.[1] ?? page.title,
    text,
  }))

/** A word in a heading says more than one in the text, and ten times the same word no more than three times. */
function scoreOf({ page, heading, text }: Section, words: readonly string[]): number {
  const title = wordsIn(`${page.title} ${heading}`)
  const body = wordsIn(text)
  const scores = words.map(word => {
    const isNear = (candidate: string) =>
      candidate === word || (word.length > 3 && candidate.startsWith(word))
    return (title.some(isNear) ? 4 : 0) + Math.min(3, body.filter(isNear).length)
  })
  const matched = scores.filter(score => score > 0).length
  return matched * 5 + scores.reduce((sum, score) => sum + score, 0)
}

export function searchDocuments(pages: readonly DocumentPage[], query: string): readonly FoundSection[] {
  const words = [...new Set(wordsIn(query.slice(0, 200)))].slice(0, maxWords)
  return pages
    .flatMap(sectionsOf)
    .map(section => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ section: { page, heading, text } }) => ({
      title: page.title,
      section: heading,
      resource: documentUri(page.name),
      text: text.slice(0, maxSectionLength).toWellFormed(),
    }))
}
