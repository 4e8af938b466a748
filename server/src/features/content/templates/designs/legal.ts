import type { Design } from '../design.ts'
import { iconRows, letterRows } from '../parts/contacts.ts'
import { below, readingWidth, rule, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine, spaced } from '../parts/text.ts'

/** Shown where the brand has no small print of its own. */
const confidentiality =
  'This message is confidential and may be legally privileged. If you are not the intended recipient, please tell the sender and delete it.'

export const legalDesigns: readonly Design[] = [
  {
    id: 'legal-counsel',
    name: 'Counsel',
    description: 'A serif name over a fine line, direct lines with labels, and the confidentiality notice.',
    category: 'legal',
    build: kit => {
      const serif = { font: kit.font ?? 'Georgia' } as const
      const labels = { work_phone: 'Direct', email: 'Email', website: 'Web', address: 'Office' }
      return signature(
        [
          nameLine(kit, { ...serif, size: 'title', bold: false }),
          roleLine(kit, 'job_title', { ...serif, size: 'lead', fontStyle: 'italic' }),
          roleLine(kit, 'company', serif),
          below(12, rule(kit, { color: kit.palette.fill })),
          below(
            12,
            letterRows(
              kit,
              { ...serif, keys: ['work_phone', 'email', 'website', 'address'], gap: 0 },
              labels,
            ),
          ),
          below(16, legalLine(kit, confidentiality, serif)),
        ],
        readingWidth,
      )
    },
  },
  {
    id: 'legal-chambers',
    name: 'Chambers',
    description: 'The logo and the firm above a line, the person below it, and the notice.',
    category: 'legal',
    build: kit =>
      signature(
        [
          logo(kit, 160, 44),
          below(8, roleLine(kit, 'company', { ...spaced, color: kit.palette.accent })),
          below(8, rule(kit)),
          below(12, nameLine(kit)),
          roleLine(kit, 'job_title'),
          roleLine(kit, 'department'),
          below(
            12,
            iconRows(kit, { keys: ['work_phone', 'email', 'address'], iconColor: kit.palette.muted }),
          ),
          below(12, rule(kit)),
          below(12, legalLine(kit, confidentiality)),
        ],
        readingWidth,
      ),
  },
]
