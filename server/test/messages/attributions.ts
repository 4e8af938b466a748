// Lines with which mail clients introduce a quote, with names of many shapes, and how programs fold them.
import { attributionForms } from './attribution-forms.ts'

type Author = readonly [name: string, address: string]

const latin: readonly Author[] = [
  ['Bob Ross', 'bob@example.org'],
  ['Hans-Peter Müller-Lüdenscheidt', 'hp.mueller@example.org'],
  ['Dr. Anna Maria van der Berg', 'anna.vdberg@mail.example.com'],
  ['Smith, Jo (Sales)', 'jo.smith@example.com'],
  ['Acme Inc. Support Team', 'support@acme.example'],
  ['"Lee, J. R."', 'jr.lee@example.net'],
]
const cyrillic: readonly Author[] = [
  ['Иван Петров', 'ivan@example.org'],
  ['Елена Сергеевна Константинопольская', 'e.konst@example.org'],
  ['ООО "Ромашка"', 'info@romashka.example'],
]
const chinese: readonly Author[] = [
  ['张三', 'zhang@example.org'],
  ['王 小明', 'xiaoming.wang@example.com.cn'],
]
const scripts: Readonly<Record<string, readonly Author[]>> = {
  ru: cyrillic,
  uk: cyrillic,
  bg: cyrillic,
  be: cyrillic,
  sr: cyrillic,
  mk: cyrillic,
  zh: chinese,
  el: [
    ['Γιώργος Παπαδόπουλος', 'g@example.org'],
    ['Μαρία Ελένη Κωνσταντίνου', 'maria@example.org'],
  ],
  ja: [
    ['山田太郎', 'taro@example.org'],
    ['営業部 山田 花子', 'hanako.yamada@example.co.jp'],
  ],
  ko: [
    ['홍길동', 'hong@example.org'],
    ['김 철수 (영업팀)', 'cs.kim@example.co.kr'],
  ],
  he: [
    ['ישראל ישראלי', 'i@example.org'],
    ['דוד בן גוריון', 'david.bg@example.org'],
  ],
  ar: [
    ['محمد علي', 'm.ali@example.org'],
    ['عبد الرحمن بن محمد', 'abdul@example.org'],
  ],
  th: [
    ['สมชาย ใจดี', 's@example.org'],
    ['Somchai Jaidee', 'somchai@example.org'],
  ],
  vi: [
    ['Nguyễn Văn A', 'a@example.org'],
    ['Trần Thị Thu Hương', 'huong.tran@example.org'],
  ],
}

/** Each form of a client with each author of its language. */
export const attributions: readonly { readonly client: string; readonly text: string }[] = Object.entries(
  attributionForms,
).flatMap(([language, forms]) =>
  forms.flatMap(([client, form]) =>
    (scripts[language] ?? latin).map(([name, address]) => ({
      client,
      text: form.replace('{name}', name).replace('{address}', address),
    })),
  ),
)

/** Lines of at most `width` characters, where the words allow it. */
export function foldText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(word)
  }
  return lines
}
