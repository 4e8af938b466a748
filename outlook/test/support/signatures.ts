import type { MailSignature, SignatureAnswer } from '../../src/wire.ts'

/** A signature as the service renders it: tracked links, a pixel, a picture that others have too. */
export function signatureOf(name: string, key: string): MailSignature {
  const html = `<table class="sig" id="sig"><tr><td><!-- logo --><img src="https://sign.example/i/logo.png"></td><td><b>${name}</b>&nbsp;M&uuml;ller<br>Acme GmbH, ${key}<br><a href="https://sign.example/c/${key}-link">acme.example</a><img src="https://sign.example/o/${key}-pixel" width="1"></td></tr></table>`
  const text = `${name} Müller\nAcme GmbH, ${key}\nhttps://sign.example/c/${key}-link`
  return { html, text, sha: `sha-${key}` }
}

export const annasAnswer: SignatureAnswer = {
  new: signatureOf('Anna', 'anna-new'),
  reply: signatureOf('Anna', 'anna-reply'),
  internal: signatureOf('Anna', 'anna-internal'),
  domains: ['acme.example', 'acme.test'],
}

export const bertsAnswer: SignatureAnswer = {
  new: signatureOf('Bert', 'bert-new'),
  reply: signatureOf('Bert', 'bert-reply'),
  internal: null,
  domains: ['acme.example'],
}

export const noAnswer: SignatureAnswer = { new: null, reply: null, internal: null, domains: ['acme.example'] }

/** Without tracking and pictures: only the letters tell that it is there. */
export const plainAnswer: SignatureAnswer = {
  new: {
    html: '<p>Anna M&uuml;ller<br>Acme GmbH<br>+49 30 1234567</p>',
    text: 'Anna Müller\nAcme GmbH\n+49 30 1234567',
    sha: 'plain-new',
  },
  reply: { html: '<p>Viele Gr&uuml;&szlig;e von Anna</p>', text: 'Viele Grüße von Anna', sha: 'plain-reply' },
  internal: {
    html: '<p>Anna M&uuml;ller</p><p>Acme GmbH</p>',
    text: 'Anna Müller\nAcme GmbH',
    sha: 'plain-internal',
  },
  domains: ['acme.example'],
}
