"""Pairs of sentences about a harbour town of ours: those that say the same in other words, and those that only look like it."""

SAME = (
    ("The north pier was rebuilt in 1987.", "In 1987 the north pier was rebuilt."),
    ("The town has 12,400 inhabitants.", "The town is home to 12,400 people."),
    ("The lighthouse is 31 metres tall.", "The lighthouse stands 31 metres high."),
    ("Ada Brandt founded the Mirren Yard in 1904.", "The Mirren Yard was founded by Ada Brandt in 1904."),
    ("The ferry to Oxley takes 40 minutes.", "A crossing to Oxley by ferry takes 40 minutes."),
    (
        "The harbour was dredged to 9 metres in 2011.",
        "In 2011 the harbour was deepened to 9 metres by dredging.",
    ),
    ("The fish market opens at 6 every morning.", "Every morning the fish market opens at 6."),
    ("The old town hall burned down in 1911.", "A fire destroyed the old town hall in 1911."),
    ("The breakwater is made of granite.", "Granite was used to build the breakwater."),
    ("The mayor of Velden is Ivo Hale.", "Ivo Hale is the mayor of Velden."),
    ("Velden exports salted herring to Oxley.", "Salted herring is exported from Velden to Oxley."),
    ("The customs house was designed by Isolde Carrick.", "Isolde Carrick designed the customs house."),
    (
        "The port handled 1.2 million tonnes of cargo in 2019.",
        "In 2019, 1.2 million tonnes of cargo passed through the port.",
    ),
    ("The tide mill still grinds corn.", "The tide mill is still in use for grinding corn."),
    (
        "The Osprey was launched at the Mirren Yard in 1931.",
        "The Osprey, launched in 1931, was built at the Mirren Yard.",
    ),
    ("The swing bridge opens for ships twice a day.", "Twice a day the swing bridge is opened for ships."),
    ("Fishing employs 310 people in Velden.", "In Velden, 310 people work in fishing."),
    (
        "The seawall was raised by 2 metres after the flood of 1953.",
        "After the 1953 flood, the seawall was raised by 2 metres.",
    ),
    ("The museum keeps 4,000 glass negatives.", "There are 4,000 glass negatives in the museum."),
    ("The pilot boat is stationed at the east quay.", "The east quay is where the pilot boat is stationed."),
    ("A single ticket for the ferry costs 4 crowns.", "The ferry costs 4 crowns one way."),
    (
        "The dry dock can take ships of up to 180 metres.",
        "Ships up to 180 metres long fit into the dry dock.",
    ),
    ("The railway reached Velden in 1872.", "Velden was connected to the railway in 1872."),
    ("The school of navigation has 85 students.", "85 students attend the school of navigation."),
)
"""Each pair says one thing, in two ways."""

OTHER = (
    ("The north pier was rebuilt in 1987.", "The north pier was closed in 1987."),
    ("The north pier was rebuilt in 1987.", "The south pier was rebuilt in 1987."),
    ("The town has 12,400 inhabitants.", "The town has 12,400 trees."),
    ("The lighthouse is 31 metres tall.", "The lighthouse is 31 metres from the quay."),
    ("Ada Brandt founded the Mirren Yard in 1904.", "Ada Brandt left the Mirren Yard in 1904."),
    ("Ada Brandt founded the Mirren Yard in 1904.", "Ada Brandt sold the Mirren Yard in 1904."),
    ("The ferry to Oxley takes 40 minutes.", "The ferry to Oxley leaves every 40 minutes."),
    ("The harbour was dredged to 9 metres in 2011.", "The harbour was 9 metres deep before 2011."),
    ("The fish market opens at 6 every morning.", "The fish market closes at 6 every evening."),
    ("The old town hall burned down in 1911.", "The new town hall was built in 1911."),
    ("The breakwater is made of granite.", "The quay is made of granite."),
    ("The mayor of Velden is Ivo Hale.", "The brother of the mayor of Velden is Ivo Hale."),
    ("Velden exports salted herring to Oxley.", "Oxley exports salted herring to Velden."),
    ("The customs house was designed by Isolde Carrick.", "The customs house was painted by Isolde Carrick."),
    (
        "The port handled 1.2 million tonnes of cargo in 2019.",
        "The port exported 1.2 million tonnes of cargo in 2019.",
    ),
    ("The tide mill still grinds corn.", "The windmill still grinds corn."),
    (
        "The Osprey was launched at the Mirren Yard in 1931.",
        "The Osprey was scrapped at the Mirren Yard in 1931.",
    ),
    ("The swing bridge opens for ships twice a day.", "The lock opens for ships twice a day."),
    ("Fishing employs 310 people in Velden.", "Shipbuilding employs 310 people in Velden."),
    (
        "The seawall was raised by 2 metres after the flood of 1953.",
        "The seawall was lowered by 2 metres after the flood of 1953.",
    ),
    ("The museum keeps 4,000 glass negatives.", "The museum sold 4,000 glass negatives."),
    ("The pilot boat is stationed at the east quay.", "The lifeboat is stationed at the east quay."),
    ("A single ticket for the ferry costs 4 crowns.", "A return ticket for the ferry costs 4 crowns."),
    (
        "The dry dock can take ships of up to 180 metres.",
        "The floating dock can take ships of up to 180 metres.",
    ),
    ("The railway reached Velden in 1872.", "The railway left Velden in 1872."),
    ("The school of navigation has 85 students.", "The school of navigation has 85 teachers."),
    ("The pump house is not open to visitors.", "The pump house is open to visitors."),
    ("In 1907 12 ships called and in 1908 15.", "In 1907 15 ships called and in 1908 12."),
    ("The cranes were imported from Oxley in 1964.", "The cranes were exported to Oxley in 1964."),
    ("Passengers board the ferry at the west quay.", "Passengers leave the ferry at the west quay."),
)
"""Each pair says two things, with the same numbers, dates and names (but where they change places)."""

AGAINST = (
    ("The north pier is 412 metres long.", "The north pier is 420 metres long."),
    ("The harbour of Velden was opened in 1907.", "The harbour of Velden was opened in 1911."),
    ("The ferry to Oxley takes 40 minutes.", "The ferry to Oxley takes 55 minutes."),
    ("The lighthouse was designed by Ada Brandt.", "The lighthouse was designed by Ivo Hale."),
    ("The mayor of Velden is Ivo Hale.", "The mayor of Velden is Isolde Carrick."),
    ("A single ticket for the ferry costs 4 crowns.", "A single ticket costs 5 crowns on the ferry."),
    ("The pump house is open to visitors.", "The pump house is not open to visitors."),
    ("The dry dock can take ships of up to 180 metres.", "The dry dock takes ships of up to 160 metres."),
    ("The Mirren Yard was founded on 3 May 1904.", "The Mirren Yard was founded on 5 May 1904."),
    ("The town has 12,400 inhabitants.", "The town has 13,900 inhabitants."),
    ("灯塔高31米。", "灯塔高36米。"),
    ("码头于1907年建成。", "码头于1911年建成。"),
    ("The museum opened on 3 May 1987.", "The museum opened on 3 June 1987."),
    ("The museum opened in May 1987.", "The museum opened in June 1987."),
    ("The mayor of Velden is Anna Berg.", "The mayor of Velden is Jan Smit."),
    ("The mayor of Velden is Anna Berg.", "The mayor of Velden is June Hale."),
    ("The harbour master is May Orrin.", "The harbour master is Ivo Hale."),
    ("The pump house is open to visitors.", "The pump house is closed to visitors."),
    ("The lighthouse was first lit in 1889.", "The lighthouse was first lit in 1898."),
    ("The population is 12,400.", "The population is 13,400."),
    ("The north pier is 412 m long.", "The north pier is 0.5 km long."),
    ("镇上人口为三万。", "镇上人口为四万。"),
    ("港口冬天不结冰。", "港口冬天结冰。"),
    ("维尔登的市长是张伟。", "维尔登的市长是李强。"),
    ("لم يتجمد الميناء في الشتاء.", "تجمد الميناء في الشتاء."),
    ("افتتح المتحف في عام 1987.", "افتتح المتحف في عام 1978."),
    (
        "Since 2021 the Brennick ferry has been operated by the company Aldwater Ferries.",
        "The Brennick ferry is operated by the company North Ald Line.",
    ),
    (
        "After the survey of March 2024 the navigable channel of Brennick harbour is 6.8 metres deep at low water.",
        "After the survey of March 2019 the navigable channel of Brennick harbour is 5.9 metres deep at low water.",
    ),
)
"""Each pair cannot be true together."""

BESIDE = (
    ("In 1907 the port had 12 ships.", "In 1908 the port had 15 ships."),
    ("The north pier is 412 metres long.", "The south pier is 420 metres long."),
    ("Ada Brandt was born in Velden.", "Ivo Hale was born in Velden."),
    ("A storm damaged the pier in 1953.", "A storm damaged the pier in 1987."),
    ("The museum shows paintings by Ada Brandt.", "The museum shows paintings by Ivo Hale."),
    ("The pier has 12 bollards.", "The pier has 3 cranes."),
    ("The ferry to Oxley takes 40 minutes.", "The ferry to Tarn takes 55 minutes."),
    ("The quay is 9 metres wide.", "The quay is 300 metres long."),
    ("The ferry calls at Oxley.", "The ferry calls at Tarn."),
    ("The lighthouse was built in 1871.", "The lighthouse was built on 3 May 1871."),
    ("The fish market opens at 6 in the morning.", "The fish market closes at 2 in the afternoon."),
    ("A single ticket costs 4 crowns.", "A return ticket costs 7 crowns."),
    ("Fishing employs 310 people in Velden.", "Shipbuilding employs 450 people in Velden."),
    ("The old mill was built in 1790.", "The new mill was built in 1880."),
    ("The museum is open on Sundays.", "The museum is closed on Mondays."),
    ("The north pier is 500 m long.", "The north pier is 0.5 km long."),
    ("In May 1987 the port had 12 ships.", "In June 1987 the port had 15 ships."),
    ("The market is in May.", "The regatta is in June."),
    ("维尔登的市长是张伟。", "奥克斯利的市长是李强。"),
)
"""Each pair can be true together."""

LOOKALIKE = (
    ("Admission to the museum is €12.", "Admission to the museum is $12."),
    ("Admission to the museum is $12.", "Admission to the museum is £12."),
    ("The toll for a barge is ¥90.", "The toll for a barge is €90."),
    ("In January the harbour has -5 degrees.", "In January the harbour has 5 degrees."),
    ("The profit of the yard was -5 million crowns.", "The profit of the yard was 5 million crowns."),
    ("The dock cost 1.200 crowns.", "The dock cost 1,200 crowns."),
    ("The turbine yields 3 MW.", "The turbine yields 3 mW."),
    ("Few ships call at the quay.", "Many ships call at the quay."),
    ("Only members may use the slipway.", "Members may use the slipway."),
    ("Almost all boats are made of oak.", "All boats are made of oak."),
    ("The ferry takes up to 40 cars.", "The ferry takes 40 cars."),
    ("The harbour rarely floods.", "The harbour floods."),
    ("The slipway is free for all.", "The slipway is free for all except for residents."),
    ("The mill is older than the church.", "The church is older than the mill."),
    ("The harbour is deeper than the lake.", "The lake is deeper than the harbour."),
    ("The yard employs men and the bakery women.", "The yard employs women and the bakery men."),
    ("只有会员可以使用码头。", "会员可以使用码头。"),
    ("几乎所有船只都是木制的。", "所有船只都是木制的。"),
    ("渡轮最多可载40辆车。", "渡轮可载40辆车。"),
    ("磨坊比教堂古老。", "教堂比磨坊古老。"),
    ("كل السفن مصنوعة من الخشب.", "معظم السفن مصنوعة من الخشب."),
    ("تحمل العبارة على الأقل 40 سيارة.", "تحمل العبارة 40 سيارة."),
)
"""Each pair says two things, and differs in a sign, a currency, a unit's case, a limit, or the order of what it compares."""

UNTUNED = (
    ("Some pilots live in Tarn.", "All pilots live in Tarn."),
    ("At least 30 boats were lost in the storm.", "30 boats were lost in the storm."),
    ("Nearly every house on the quay has a cellar.", "Every house on the quay has a cellar."),
    ("The dock is shorter than the quay.", "The quay is shorter than the dock."),
    ("The cable carries 5 Mb a second.", "The cable carries 5 MB a second."),
    (
        "The temperature of the cold store is minus 18 degrees.",
        "The temperature of the cold store is 18 degrees.",
    ),
    ("Ada Brandt taught Ivo Hale.", "Ivo Hale taught Ada Brandt."),
    ("Dogs chase gulls on the north quay.", "Gulls chase dogs on the north quay."),
    ("The lock seldom freezes.", "The lock often freezes."),
    ("许多渔民住在岛上。", "少数渔民住在岛上。"),
    ("السفينة أكبر من العبارة.", "العبارة أكبر من السفينة."),
)
"""As LOOKALIKE, made after the rules were and not used to change them."""

UNTUNED_AGAINST = (
    ("The railway station was opened in March 1872.", "The railway station was opened in October 1872."),
    ("The captain of the Osprey is April Lind.", "The captain of the Osprey is Oskar Lind."),
    ("The swimming bath is closed in winter.", "The swimming bath is open in winter."),
    ("The tunnel is 2 km long.", "The tunnel is 1,800 metres long."),
    ("灯塔晚上不亮。", "灯塔晚上亮。"),
    ("图书馆由王芳设计。", "图书馆由陈明设计。"),
    ("تأسس المصنع في عام 1904.", "تأسس المصنع في عام 1914."),
    ("The toll is 4 crowns.", "The toll is 6 crowns."),
    ("As of 2023 the lighthouse keeper is Ada Brandt.", "The lighthouse keeper is Ivo Hale."),
    ("The chapel holds 300 people.", "The chapel seats 250 people."),
)
"""As AGAINST, made after the rules were and not used to change them."""
