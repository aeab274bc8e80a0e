"""Countries that a text names, also by the word for their people: "Scottish", "in Ohio", 法国.

Where a word may mean several (a language spoken in two), it is left out: better no country than a wrong one.
"""

import re
from dataclasses import dataclass

_NAMES = """
Afghanistan:Afghan|Albania:Albanian|Algeria:Algerian|Andorra:Andorran|Angola:Angolan|Argentina:Argentine,Argentinian
Armenia:Armenian|Australia:Australian,New South Wales,Queensland,Tasmania|Austria:Austrian,Austro-Hungarian
Azerbaijan:Azerbaijani|Bahamas:Bahamian|Bahrain:Bahraini|Bangladesh:Bangladeshi|Barbados:Barbadian
Belarus:Belarusian|Belgium:Belgian|Belize:Belizean|Benin:Beninese|Bhutan:Bhutanese|Bolivia:Bolivian
Bosnia and Herzegovina:Bosnian|Botswana:Botswanan|Brazil:Brazilian|Brunei:Bruneian|Bulgaria:Bulgarian
Burkina Faso:Burkinabé|Burundi:Burundian|Cambodia:Cambodian|Cameroon:Cameroonian
Canada:Canadian,Ontario,Quebec,British Columbia,Alberta,Manitoba,Saskatchewan,Nova Scotia|Cape Verde:Cape Verdean
Chad:Chadian|Chile:Chilean|China:Chinese|Colombia:Colombian|Costa Rica:Costa Rican|Croatia:Croatian,Croat
Cuba:Cuban|Cyprus:Cypriot|Czech Republic:Czech,Czechia,Czechoslovak|Denmark:Danish,Dane
Dominican Republic:|Ecuador:Ecuadorian|Egypt:Egyptian|El Salvador:Salvadoran|Eritrea:Eritrean|Estonia:Estonian
Ethiopia:Ethiopian|Fiji:Fijian|Finland:Finnish,Finn|France:French|Gabon:Gabonese|Gambia:Gambian
Germany:German,East German,West German,East Germany,West Germany,Prussian,Bavaria|Ghana:Ghanaian|Greece:Greek
Guatemala:Guatemalan|Guinea:Guinean|Guyana:Guyanese|Haiti:Haitian|Honduras:Honduran|Hong Kong:Hongkonger
Hungary:Hungarian|Iceland:Icelandic|India:Indian,Telugu,Malayalam,Kannada,Marathi,Bollywood,Tollywood
Indonesia:Indonesian|Iran:Iranian,Persian|Iraq:Iraqi|Ireland:Irish|Israel:Israeli|Italy:Italian
Ivory Coast:Ivorian|Jamaica:Jamaican|Japan:Japanese|Jordan:Jordanian|Kazakhstan:Kazakh,Kazakhstani|Kenya:Kenyan
Kosovo:Kosovan|Kuwait:Kuwaiti|Kyrgyzstan:Kyrgyz|Laos:Laotian|Latvia:Latvian|Lebanon:Lebanese|Liberia:Liberian
Libya:Libyan|Liechtenstein:|Lithuania:Lithuanian|Luxembourg:Luxembourgish,Luxembourgian|Madagascar:Malagasy
Malawi:Malawian|Malaysia:Malaysian|Maldives:Maldivian|Mali:Malian|Malta:Maltese|Mauritania:Mauritanian
Mauritius:Mauritian|Mexico:Mexican|Moldova:Moldovan|Monaco:Monégasque|Mongolia:Mongolian|Montenegro:Montenegrin
Morocco:Moroccan|Mozambique:Mozambican|Myanmar:Burmese,Burma|Namibia:Namibian|Nepal:Nepali,Nepalese
Netherlands:Dutch|New Zealand:New Zealander|Nicaragua:Nicaraguan|Niger:Nigerien|Nigeria:Nigerian
North Korea:North Korean|North Macedonia:Macedonian|Norway:Norwegian|Oman:Omani|Pakistan:Pakistani
Palestine:Palestinian|Panama:Panamanian|Papua New Guinea:|Paraguay:Paraguayan|Peru:Peruvian
Philippines:Philippine,Filipino,Filipina|Poland:Polish|Portugal:Portuguese|Qatar:Qatari|Romania:Romanian
Russia:Russian,Soviet,Soviet Union|Rwanda:Rwandan|Samoa:Samoan|San Marino:Sammarinese|Saudi Arabia:Saudi
Senegal:Senegalese|Serbia:Serbian,Serb|Sierra Leone:Sierra Leonean|Singapore:Singaporean|Slovakia:Slovak
Slovenia:Slovene,Slovenian|Somalia:Somali|South Africa:South African|South Korea:South Korean|Spain:Spanish,Spaniard,Catalan
Sri Lanka:Sri Lankan,Sinhala|Sudan:Sudanese|Suriname:Surinamese|Sweden:Swedish,Swede|Switzerland:Swiss|Syria:Syrian
Taiwan:Taiwanese|Tajikistan:Tajik|Tanzania:Tanzanian|Thailand:Thai|Togo:Togolese|Trinidad and Tobago:Trinidadian
Tunisia:Tunisian|Turkey:Turkish,Ottoman|Turkmenistan:Turkmen|Uganda:Ugandan|Ukraine:Ukrainian
United Arab Emirates:Emirati|United Kingdom:British,English,Scottish,Welsh,England,Scotland,Wales,Northern Ireland,UK,Great Britain,Britain
United States:American,US,U.S.,USA,U.S.A.,United States of America,Hollywood,Puerto Rican,Puerto Rico,Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,Florida,Hawaii,Idaho,Illinois,Indiana,Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,New Hampshire,New Jersey,New Mexico,New York,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina,South Dakota,Tennessee,Texas,Utah,Vermont,Virginia,West Virginia,Wisconsin,Wyoming
Uruguay:Uruguayan|Uzbekistan:Uzbek|Venezuela:Venezuelan|Vietnam:Vietnamese|Yemen:Yemeni|Yugoslavia:Yugoslav,Yugoslavian
Zambia:Zambian|Zimbabwe:Zimbabwean
China:中国,中國|Japan:日本|United States:美国,美國|United Kingdom:英国,英國|France:法国,法國|Germany:德国,德國
Russia:俄罗斯,俄國,俄国,苏联|Italy:意大利|Spain:西班牙|India:印度|South Korea:韩国,韓國|Canada:加拿大|Australia:澳大利亚
Egypt:مصر,مصري,المصري,المصرية|Saudi Arabia:السعودية,سعودي,السعودي|France:فرنسا,فرنسي,الفرنسي|Germany:ألمانيا,ألماني,الألماني
United States:أمريكا,الولايات المتحدة,أمريكي,الأمريكي|United Kingdom:بريطانيا,بريطاني,البريطاني|Italy:إيطاليا,إيطالي
Morocco:المغرب,مغربي,المغربي|Tunisia:تونس,تونسي|Algeria:الجزائر,جزائري|Iraq:العراق,عراقي|Syria:سوريا,سوري|Lebanon:لبنان,لبناني
"""
_COUNTRIES = {
    name: country
    for entry in _NAMES.replace("\n", "|").split("|")
    if entry
    for country, _, others in [entry.partition(":")]
    for name in ([country] if country.isascii() else []) + [other for other in others.split(",") if other]
}
_LONGEST_FIRST = sorted(_COUNTRIES, key=len, reverse=True)
_COUNTRY = re.compile(
    "|".join(
        rf"(?<!\w){re.escape(name)}(?!\w)" if not "\u4e00" <= name[0] <= "\u9fff" else name
        for name in _LONGEST_FIRST
    )
)


@dataclass(frozen=True, slots=True)
class Named:
    """A country, named at `text[start:end]`."""

    country: str
    start: int
    end: int


def countries(text: str) -> list[Named]:
    """The countries named in `text`, in order.

    >>> [one.country for one in countries("A Scottish engineer who built lighthouses in Japan.")]
    ['United Kingdom', 'Japan']
    """
    return [Named(_COUNTRIES[found.group()], *found.span()) for found in _COUNTRY.finditer(text)]
