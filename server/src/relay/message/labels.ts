// The words with which mail clients begin a quoted message, in the languages they are translated into.

export type QuoteLabel = 'from' | 'date' | 'to' | 'subject' | 'cc'

/** One row per language: From, Sent or Date, To, Subject, Cc; several words are separated by a bar. */
const labelRows: readonly (readonly [string, string, string, string, string, string])[] = [
  ['English', 'from', 'sent|date|sent on|sent at', 'to', 'subject', 'cc'],
  ['German', 'von|absender', 'gesendet|datum|gesendet am', 'an|empfänger', 'betreff', 'cc|kopie'],
  ['French', 'de|expéditeur', 'envoyé|date|envoyé le', 'à|a|pour|destinataire', 'objet|sujet', 'cc|copie à'],
  ['Spanish', 'de', 'enviado|fecha|enviado el|enviados', 'para', 'asunto', 'cc|con copia'],
  ['Catalan', 'de', 'enviat|data|enviat el|data d’enviament', 'per a|a', 'assumpte|tema', 'a/c|cc'],
  ['Galician', 'de', 'enviado|data', 'para', 'asunto', 'cc'],
  ['Basque', 'nork|bidaltzailea', 'bidaltze-data|data|bidalita', 'nori|hartzailea', 'gaia', 'cc'],
  ['Portuguese', 'de', 'enviado|data|enviada|enviada em|enviado em', 'para', 'assunto', 'cc'],
  ['Italian', 'da', 'inviato|data|data invio', 'a', 'oggetto', 'cc'],
  ['Romanian', 'de la|de|expeditor', 'trimis|data|trimise|dată', 'către|catre|la', 'subiect', 'cc'],
  ['Dutch', 'van', 'verzonden|datum|verstuurd', 'aan', 'onderwerp', 'cc'],
  ['Swedish', 'från', 'skickat|datum|skickades', 'till', 'ämne', 'kopia|cc'],
  ['Danish', 'fra', 'sendt|dato', 'til', 'emne', 'cc'],
  ['Norwegian', 'fra', 'sendt|dato', 'til', 'emne', 'kopi'],
  ['Icelandic', 'frá', 'sent|dagsetning', 'til', 'efni', 'afrit'],
  ['Finnish', 'lähettäjä', 'lähetetty|päivämäärä|päiväys', 'vastaanottaja', 'aihe', 'kopio'],
  ['Estonian', 'saatja', 'saadetud|kuupäev|saatmisaeg', 'adressaat|saaja', 'teema', 'koopia'],
  ['Latvian', 'no', 'nosūtīts|datums|sūtīts', 'kam|adresāts', 'temats|tēma', 'kopija'],
  ['Lithuanian', 'nuo|siuntėjas', 'išsiųsta|data', 'kam|gavėjas', 'tema', 'kopija'],
  ['Polish', 'od|nadawca', 'wysłano|data|wysłane', 'do|adresat', 'temat', 'dw|do wiadomości'],
  ['Czech', 'od|odesílatel', 'odesláno|datum', 'komu|pro', 'předmět', 'kopie'],
  ['Slovak', 'od|odosielateľ', 'odoslané|dátum', 'komu|pre', 'predmet', 'kópia'],
  ['Hungarian', 'feladó', 'elküldve|dátum|küldve', 'címzett', 'tárgy', 'másolatot kap|másolat'],
  ['Slovenian', 'od|pošiljatelj', 'poslano|datum', 'za', 'zadeva', 'kp'],
  ['Croatian', 'od|šalje|pošiljatelj', 'poslano|datum', 'prima|za', 'predmet', 'kopija'],
  ['Serbian', 'од|шаље|posiljalac', 'послато|датум|poslato', 'за|коме', 'тема|предмет|naslov', 'копија'],
  ['Macedonian', 'од', 'испратено|датум', 'до', 'предмет|тема', 'копија'],
  ['Bulgarian', 'от', 'изпратено|дата', 'до', 'относно|тема', 'копие'],
  ['Russian', 'от|от кого|отправитель', 'отправлено|дата|послано', 'кому', 'тема', 'копия'],
  ['Ukrainian', 'від|від кого', 'надіслано|дата|відправлено', 'кому', 'тема', 'копія'],
  ['Belarusian', 'ад|ад каго', 'адпраўлена|дата', 'каму', 'тэма', 'копія'],
  ['Greek', 'από', 'στάλθηκε|ημερομηνία|αποστολή', 'προς', 'θέμα', 'κοιν|κοινοποίηση'],
  ['Turkish', 'kimden|gönderen', 'gönderildi|tarih|gönderme tarihi', 'kime|alıcı', 'konu', 'bilgi'],
  ['Azerbaijani', 'kimdən', 'göndərilib|tarix', 'kimə', 'mövzu', 'surəti'],
  ['Kazakh', 'кімнен|жіберуші', 'жіберілді|күні', 'кімге', 'тақырып|тақырыбы', 'көшірме'],
  ['Georgian', 'ვისგან|გამომგზავნი', 'გაგზავნილია|თარიღი', 'ვის|მიმღები', 'თემა', 'ასლი'],
  ['Armenian', 'ումից|ուղարկող', 'ուղարկվել է|ամսաթիվ', 'ում', 'թեմա', 'պատճեն'],
  ['Hebrew', 'מאת', 'נשלח|תאריך', 'אל', 'נושא', 'עותק'],
  ['Arabic', 'من|المرسل', 'تاريخ الإرسال|التاريخ|مرسل|أرسل', 'إلى|الى', 'الموضوع', 'نسخة'],
  ['Persian', 'از|فرستنده', 'ارسال شده|تاریخ', 'به|گیرنده', 'موضوع', 'رونوشت'],
  ['Hindi', 'से|प्रेषक', 'भेजा गया|दिनांक|तिथि', 'को|प्रति', 'विषय', 'प्रतिलिपि'],
  ['Thai', 'จาก', 'ส่ง|วันที่|ส่งเมื่อ', 'ถึง', 'เรื่อง|หัวเรื่อง', 'สำเนา'],
  [
    'Vietnamese',
    'từ|người gửi',
    'đã gửi|ngày|gửi|vào ngày',
    'tới|đến|người nhận',
    'chủ đề|tiêu đề',
    'đồng gửi',
  ],
  ['Indonesian', 'dari', 'dikirim|tanggal|terkirim', 'kepada|untuk|ke', 'perihal|subjek|judul', 'tembusan'],
  ['Malay', 'daripada|dari', 'dihantar|tarikh', 'kepada', 'subjek|perkara', 'sk'],
  [
    'Chinese',
    '发件人|寄件者|寄件人|發件人',
    '发送时间|日期|寄件日期|傳送時間|發送時間|时间',
    '收件人|收件者',
    '主题|主旨|主題',
    '抄送|副本',
  ],
  ['Japanese', '差出人|送信者|from', '送信日時|日時|日付|送信日', '宛先', '件名', 'cc'],
  [
    'Korean',
    '보낸 사람|보낸사람|발신',
    '보낸 날짜|날짜|보냄|받은 날짜',
    '받는 사람|받는사람|수신',
    '제목',
    '참조',
  ],
]

const kinds: readonly QuoteLabel[] = ['from', 'date', 'to', 'subject', 'cc']

const labels = new Map<string, QuoteLabel>(
  labelRows.flatMap(([, ...words]) =>
    words.flatMap((list, index) =>
      list.split('|').map((word): [string, QuoteLabel] => [word, kinds[index] as QuoteLabel]),
    ),
  ),
)

/** `wrote` in the line before a quote, as whole words. */
const wroteWords = new Set(
  (
    'wrote writes said schrieb schreef skrev kirjoitti kirjutas écrit escribió escribio escriu escreveu ' +
    'scritto rakstīja rašė napisał napisał(a) napisała napsal napsala napsal(a) napísal napísala napísal(a) ' +
    'írta napisao napisala piše пише написа написав написала написал пишет пісаў написаў έγραψε yazdı yazmış ' +
    'yazıb жазды დაწერა գրել כתב كتب نوشت लिखा เขียนว่า viết menulis scris skrifaði idatzi scríobh ysgrifennodd ' +
    '写道 寫道 書きました のメール 작성 <wrote>'
  ).split(' '),
)
/** Languages that write without spaces, or put the word into a longer one. */
const wroteParts = [
  '写道',
  '寫道',
  '書きました',
  '님이 작성',
  'เขียนว่า',
  'yazdı',
  'a écrit',
  'ha scritto',
  'написал(а)',
]

/** The line above a forwarded message of Apple Mail, without its colon. */
export const forwardIntros: ReadonlySet<string> = new Set([
  'begin forwarded message',
  'forwarded message',
  'anfang der weitergeleiteten nachricht',
  'début du message transféré',
  'début du message réexpédié',
  'inicio del mensaje reenviado',
  'inizio messaggio inoltrato',
  'início da mensagem reencaminhada',
  'início da mensagem encaminhada',
  'begin doorgestuurd bericht',
  'vidarebefordrat brev',
  'start på videresendt besked',
  'videresendt melding',
  'välitetty viesti alkaa',
  'początek przekazywanej wiadomości',
  'začátek přeposílané zprávy',
  'továbbított levél kezdete',
  'начало переадресованного сообщения',
  'пересылаемое сообщение',
  'yönlendirilen ileti',
  'αρχή προωθημένου μηνύματος',
  '转发的邮件',
  '開始轉寄郵件',
  '転送されたメッセージ',
  '전달된 메시지',
  'הודעה שהועברה',
  'بداية الرسالة المعاد توجيهها',
])

/** Without invisible characters, and with plain spaces. */
export const visibleText = (text: string): string =>
  text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()

/** The label with which a line begins, such as `From: …` or `*Von:* …`. */
export function labelOf(line: string): QuoteLabel | null {
  const colon = line.slice(0, 48).search(/[:：]/)
  if (colon < 1) return null
  const word = line
    .slice(0, colon)
    .replace(/[*_|>]/g, ' ')
    .trim()
    .toLowerCase()
  return labels.get(word) ?? null
}

export function saysWrote(line: string): boolean {
  const lower = line.toLowerCase()
  return (
    lower.split(/[\s,:：;<>()"]+/).some(word => wroteWords.has(word)) ||
    wroteParts.some(part => lower.includes(part))
  )
}
