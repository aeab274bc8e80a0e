"""Headings that name a part of any document, such as "Introduction" or 目录: two texts that share one have no more in common."""

from functools import lru_cache

import numpy as np

from leadline.analysis.phrases import Keys, key

_NAMES = (
    # English
    "Picture|Image|Photo|Figure|Table|Chart|Map|Contents|Table of contents|Introduction|Overview|Summary|Abstract|"
    "Executive summary|Preface|Foreword|Background|Discussion|Results|Conclusion|References|Bibliography|Sources|Notes|"
    "Footnotes|See also|External links|Further reading|Appendix|Annex|Glossary|Index|Acknowledgements|Acknowledgments",
    # Chinese
    "图|图片|图像|图表|表|表格|照片|目录|引言|前言|序言|绪论|导言|背景|概述|概要|简介|介绍|摘要|小结|总结|结论|附录|附件|附注|参考文献|"
    "参考资料|参见|外部链接|注释|致谢|索引|术语表|圖|圖片|圖像|圖表|目錄|緒論|導言|簡介|介紹|總結|結論|附錄|附註|參考文獻|參考資料|參見|注釋|致謝",
    # Arabic
    "صورة|الصورة|شكل|الشكل|جدول|الجدول|فهرس|الفهرس|المحتويات|جدول المحتويات|مقدمة|المقدمة|تمهيد|نظرة عامة|ملخص|الملخص|خلاصة|"
    "الخلاصة|خاتمة|الخاتمة|مراجع|المراجع|المصادر|هوامش|الهوامش|ملحق|الملحق|الملاحق|ملاحظات|انظر أيضا|وصلات خارجية|شكر وتقدير",
    # Japanese
    "図|写真|目次|はじめに|おわりに|まとめ|付録|関連項目|脚注|謝辞",
    # German, French, Spanish, Russian
    "Bild|Abbildung|Tabelle|Inhalt|Inhaltsverzeichnis|Einleitung|Einführung|Überblick|Zusammenfassung|Fazit|Literatur|"
    "Quellen|Anhang|Sommaire|Table des matières|Résumé|Bibliographie|Références|Annexe|Annexes|Introducción|Índice|Resumen|"
    "Conclusiones|Referencias|Bibliografía|Anexo|Figura|Tabla|Рисунок|Таблица|Содержание|Оглавление|Введение|Обзор|"
    "Заключение|Выводы|Литература|Список литературы|Примечания|Приложение|Ссылки",
)


@lru_cache(maxsize=1)
def generic() -> Keys:
    """The phrases that these headings are."""
    return np.unique(np.array([key(name) for line in _NAMES for name in line.split("|")], np.uint64))
