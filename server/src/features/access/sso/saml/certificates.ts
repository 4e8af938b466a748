// Certificates of SAML providers, in the forms in which they are pasted.
import { X509Certificate } from 'node:crypto'

export interface CertificateSummary {
  readonly subject: string
  readonly valid_from: string
  readonly valid_to: string
  readonly fingerprint: string
}

/** PEM, or the base64 inside it as metadata has it. Undefined when it is no certificate with an RSA key. */
export function readCertificate(text: string): string | undefined {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    if (certificate.publicKey.asymmetricKeyType !== 'rsa') return undefined
    return certificate.toString().trim()
  } catch {
    return undefined
  }
}

export function summaryOf(pem: string): CertificateSummary {
  const certificate = new X509Certificate(pem)
  return {
    subject: certificate.subject.replaceAll('\n', ', '),
    valid_from: new Date(certificate.validFrom).toISOString(),
    valid_to: new Date(certificate.validTo).toISOString(),
    fingerprint: certificate.fingerprint256,
  }
}
