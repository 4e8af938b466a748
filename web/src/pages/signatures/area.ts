import type editor from '#editor/texts.en.json'
import type { Area } from '#records/area.ts'
import type signatures from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly editor: typeof editor
    readonly signatures: typeof signatures
  }
}

export default {
  id: 'signatures',
  needs: 'signatures:read',
  menu: { name: { en: 'Signatures', de: 'Signaturen' }, icon: 'pen-line', group: 1, order: 0 },
  pages: {
    '/signatures': {
      load: () => import('./signatures-page.tsx'),
      texts: ['signatures', 'templates', 'installations'],
    },
    '/signatures/$id': { load: () => import('./signature-page.tsx'), texts: ['signatures', 'installations'] },
    '/signatures/$id/edit': {
      load: () => import('#editor/editor-page.tsx'),
      texts: ['editor'],
      needs: 'signatures:write',
    },
    '/signatures/$id/recipients': {
      load: () => import('./recipients-page.tsx'),
      texts: ['signatures', 'installations'],
    },
    '/signatures/$id/versions': {
      load: () => import('./versions-page.tsx'),
      texts: ['signatures', 'installations'],
    },
  },
} satisfies Area
