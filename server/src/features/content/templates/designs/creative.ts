import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
import { accentRule, below, column, padding, row, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine, spaced } from '../parts/text.ts'

export const creativeDesigns: readonly Design[] = [
  {
    id: 'creative-serif',
    name: 'Editorial',
    description: 'A large serif name and a spaced title, like the cover of a magazine.',
    category: 'creative',
    build: kit =>
      signature([
        nameLine(kit, { size: 'display', font: 'Georgia', bold: false }),
        below(4, roleLine(kit, 'job_title', { ...spaced, letterSpacing: 2, color: kit.palette.accent })),
        below(16, accentRule(kit, 32)),
        below(12, contactLine(kit, ['email', 'website'], { font: 'Georgia' })),
        letterLine(kit, ['work_phone', 'mobile_phone'], { font: 'Georgia' }),
        below(16, socialRow(kit)),
      ]),
  },
  {
    id: 'creative-portrait-top',
    name: 'Center stage',
    description: 'Everything centred below a round portrait, with social profiles on coloured discs.',
    category: 'creative',
    build: kit =>
      signature(
        [
          portrait(kit, 96),
          below(12, nameLine(kit, { size: 'title' })),
          roleLine(kit, 'job_title', { size: 'lead', color: kit.palette.accent }),
          below(8, contactLine(kit, ['email', 'website'])),
          letterLine(kit, ['work_phone', 'mobile_phone']),
          below(12, socialRow(kit, { size: 28, gap: 8, discs: true, align: 'center' })),
        ],
        { align: 'center' },
      ),
  },
  {
    id: 'creative-panel',
    name: 'Color panel',
    description: 'Portrait, name and title on a panel in the brand colour, contact data below it.',
    category: 'creative',
    build: kit => {
      const { fill, onFill } = kit.palette
      // The row has a space of 16 px below it already.
      const panel = { backgroundColor: fill, borderRadius: 8, ...padding(16, 20), paddingBottom: 0 }
      return signature([
        column(
          [
            row(
              16,
              [
                portrait(kit, 72),
                column([
                  nameLine(kit, { size: 'title', color: onFill }),
                  roleLine(kit, 'job_title', { size: 'lead', color: onFill }),
                ]),
              ],
              { verticalAlign: 'middle' },
            ),
          ],
          { displayName: 'Panel', blockStyle: panel },
        ),
        below(12, contactLine(kit, ['email', 'website'])),
        letterLine(kit, ['work_phone', 'mobile_phone']),
        below(12, socialRow(kit)),
      ])
    },
  },
]
