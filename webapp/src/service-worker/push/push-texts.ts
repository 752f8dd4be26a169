import type { EventKind } from '@svc/contract'
import type { Language } from '../../i18n/locales.ts'

/** The texts of push messages. They are here, because the worker shows them without a page, and loads nothing. */
type PushTexts = Readonly<Record<EventKind | 'other', string>>

export const pushTexts = {
  en: {
    'upload.first_download': 'Your upload was downloaded for the first time',
    'upload.downloaded': 'Your upload was downloaded',
    'upload.expiring': 'Your upload expires soon',
    'limits.near': 'Your storage is nearly full',
    other: 'There is news about your uploads',
  },
  de: {
    'upload.first_download': 'Ihr Upload wurde zum ersten Mal heruntergeladen',
    'upload.downloaded': 'Ihr Upload wurde heruntergeladen',
    'upload.expiring': 'Ihr Upload läuft bald ab',
    'limits.near': 'Ihr Speicherplatz ist fast voll',
    other: 'Es gibt Neues zu Ihren Uploads',
  },
  es: {
    'upload.first_download': 'Tu envío se ha descargado por primera vez',
    'upload.downloaded': 'Tu envío se ha descargado',
    'upload.expiring': 'Tu envío caduca pronto',
    'limits.near': 'Tu espacio está casi lleno',
    other: 'Hay novedades sobre tus envíos',
  },
  fr: {
    'upload.first_download': 'Votre envoi a été téléchargé pour la première fois',
    'upload.downloaded': 'Votre envoi a été téléchargé',
    'upload.expiring': 'Votre envoi expire bientôt',
    'limits.near': 'Votre espace de stockage est presque plein',
    other: 'Il y a du nouveau sur vos envois',
  },
  it: {
    'upload.first_download': 'Il tuo invio è stato scaricato per la prima volta',
    'upload.downloaded': 'Il tuo invio è stato scaricato',
    'upload.expiring': 'Il tuo invio scade presto',
    'limits.near': 'Il tuo spazio è quasi pieno',
    other: 'Ci sono novità sui tuoi invii',
  },
  nl: {
    'upload.first_download': 'Je upload is voor het eerst gedownload',
    'upload.downloaded': 'Je upload is gedownload',
    'upload.expiring': 'Je upload verloopt binnenkort',
    'limits.near': 'Je opslagruimte is bijna vol',
    other: 'Er is nieuws over je uploads',
  },
  pl: {
    'upload.first_download': 'Twoja przesyłka została pobrana po raz pierwszy',
    'upload.downloaded': 'Twoja przesyłka została pobrana',
    'upload.expiring': 'Twoja przesyłka wkrótce wygaśnie',
    'limits.near': 'Twoje miejsce jest prawie zapełnione',
    other: 'Są nowe informacje o twoich przesyłkach',
  },
  pt: {
    'upload.first_download': 'O seu envio foi transferido pela primeira vez',
    'upload.downloaded': 'O seu envio foi transferido',
    'upload.expiring': 'O seu envio expira em breve',
    'limits.near': 'O seu espaço está quase cheio',
    other: 'Há novidades sobre os seus envios',
  },
  sv: {
    'upload.first_download': 'Din uppladdning har laddats ner för första gången',
    'upload.downloaded': 'Din uppladdning har laddats ner',
    'upload.expiring': 'Din uppladdning upphör snart',
    'limits.near': 'Ditt utrymme är nästan fullt',
    other: 'Det finns nytt om dina uppladdningar',
  },
  ru: {
    'upload.first_download': 'Вашу отправку скачали в первый раз',
    'upload.downloaded': 'Вашу отправку скачали',
    'upload.expiring': 'Срок вашей отправки скоро истечёт',
    'limits.near': 'Ваше место почти заполнено',
    other: 'Есть новости о ваших отправках',
  },
  hi: {
    'upload.first_download': 'आपका अपलोड पहली बार डाउनलोड हुआ',
    'upload.downloaded': 'आपका अपलोड डाउनलोड हुआ',
    'upload.expiring': 'आपका अपलोड जल्द समाप्त होगा',
    'limits.near': 'आपका स्टोरेज लगभग भर गया है',
    other: 'आपके अपलोड के बारे में नई जानकारी है',
  },
  ja: {
    'upload.first_download': 'アップロードが初めてダウンロードされました',
    'upload.downloaded': 'アップロードがダウンロードされました',
    'upload.expiring': 'アップロードの期限がまもなく切れます',
    'limits.near': 'ストレージがほぼいっぱいです',
    other: 'アップロードに関するお知らせがあります',
  },
  zh: {
    'upload.first_download': '您的上传首次被下载',
    'upload.downloaded': '您的上传已被下载',
    'upload.expiring': '您的上传即将过期',
    'limits.near': '您的存储空间即将用完',
    other: '您的上传有新消息',
  },
  ar: {
    'upload.first_download': 'تم تنزيل ملفاتك المرفوعة لأول مرة',
    'upload.downloaded': 'تم تنزيل ملفاتك المرفوعة',
    'upload.expiring': 'ستنتهي صلاحية ملفاتك المرفوعة قريبًا',
    'limits.near': 'مساحة التخزين ممتلئة تقريبًا',
    other: 'هناك جديد بشأن ملفاتك المرفوعة',
  },
  he: {
    'upload.first_download': 'ההעלאה שלך הורדה בפעם הראשונה',
    'upload.downloaded': 'ההעלאה שלך הורדה',
    'upload.expiring': 'תוקף ההעלאה שלך יפוג בקרוב',
    'limits.near': 'שטח האחסון שלך כמעט מלא',
    other: 'יש חדש לגבי ההעלאות שלך',
  },
} as const satisfies Record<Language, PushTexts>

export const isPushLanguage = (code: string): code is Language => Object.hasOwn(pushTexts, code)
